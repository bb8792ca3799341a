/// Disjoint sets of numbers, each identified by its smallest member (union-find with path halving).
pub struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// Creates `count` sets with one number each, 0 to `count - 1`.
    pub fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// Returns the smallest member of a number's set.
    pub fn first(&mut self, mut member: u32) -> u32 {
        let above = &mut self.0;
        while above[member as usize] != member {
            above[member as usize] = above[above[member as usize] as usize];
            member = above[member as usize];
        }
        member
    }

    /// Joins the sets of two numbers. Returns whether the sets were separate.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Returns the index of each number's set, and the number of sets. Sets are ordered by their smallest members.
    pub fn numbered(mut self) -> (Vec<u32>, usize) {
        let (mut indices, mut count) = (vec![0; self.0.len()], 0);
        for member in 0..self.0.len() {
            let first = self.first(member as u32) as usize;
            if first == member {
                (indices[member], count) = (count, count + 1);
            } else {
                indices[member] = indices[first];
            }
        }
        (indices, count as usize)
    }
}
