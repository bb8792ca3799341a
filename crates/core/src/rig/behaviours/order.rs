use std::collections::HashMap;

use super::{Constraint, ConstraintKind};
use crate::rig::{Hierarchy, NodeIndex};

/// A transform in the dependency graph: `2 * node` is a node's local transform, `2 * node + 1` its world transform,
/// which depends on its ancestors.
type DependencyKey = usize;

fn local(node: NodeIndex) -> DependencyKey {
    2 * node.index()
}

fn world(node: NodeIndex) -> DependencyKey {
    2 * node.index() + 1
}

/// Sorts constraints by dependency; independent constraints keep their order. Uses only the first constraint of each
/// node. Returns the sorted constraints that are not in cycles, and the nodes of cyclic constraints. *Source*: Tarjan
/// 1972, *Depth-first search and linear graph algorithms* (strongly connected components), without recursion.
pub(super) fn ordered(hierarchy: &Hierarchy, constraints: &[Constraint]) -> (Vec<Constraint>, Vec<NodeIndex>) {
    let mut of_node: HashMap<NodeIndex, &Constraint> = HashMap::new();
    for constraint in constraints {
        of_node.entry(constraint.node).or_insert(constraint);
    }
    let mut walk = ConstraintOrder {
        hierarchy,
        of_node,
        number: vec![0; 2 * hierarchy.len()],
        lowlink: vec![0; 2 * hierarchy.len()],
        is_open: vec![false; 2 * hierarchy.len()],
        open: Vec::new(),
        numbered: 0,
        ordered: Vec::new(),
        circular: Vec::new(),
    };
    for constraint in constraints {
        walk.visit(local(constraint.node));
    }
    (walk.ordered, walk.circular)
}

struct ConstraintOrder<'a> {
    hierarchy: &'a Hierarchy,
    of_node: HashMap<NodeIndex, &'a Constraint>,
    /// Tarjan's index, from 1; 0 if unvisited.
    number: Vec<usize>,
    /// Tarjan's lowlink.
    lowlink: Vec<usize>,
    /// Whether a key is on the stack of incomplete components.
    is_open: Vec<bool>,
    open: Vec<DependencyKey>,
    numbered: usize,
    ordered: Vec<Constraint>,
    circular: Vec<NodeIndex>,
}

impl<'a> ConstraintOrder<'a> {
    fn constraint(&self, read: DependencyKey) -> Option<&'a Constraint> {
        let node = NodeIndex((read / 2) as u32);
        self.of_node.get(&node).copied().filter(|_| read.is_multiple_of(2))
    }

    fn reads(&self, read: DependencyKey) -> [Option<DependencyKey>; 2] {
        let node = NodeIndex((read / 2) as u32);
        let above = self.hierarchy.parent(node).map(world);
        match self.constraint(read) {
            _ if !read.is_multiple_of(2) => [Some(local(node)), above],
            None => [None, None],
            Some(Constraint { kind: ConstraintKind::Aim { .. }, source, .. }) => [Some(world(*source)), above],
            Some(Constraint { source, .. }) => [Some(local(*source)), None],
        }
    }

    fn visit(&mut self, start: DependencyKey) {
        if self.number[start] > 0 {
            return;
        }
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((read, next)) = path.last_mut() {
            let read = *read;
            if *next < 2 {
                *next += 1;
                let Some(other) = self.reads(read)[*next - 1] else { continue };
                if self.number[other] == 0 {
                    self.enter(other);
                    path.push((other, 0));
                } else if self.is_open[other] {
                    self.lowlink[read] = self.lowlink[read].min(self.number[other]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                self.lowlink[*above] = self.lowlink[*above].min(self.lowlink[read]);
            }
            if self.lowlink[read] == self.number[read] {
                self.complete(read);
            }
        }
    }

    fn enter(&mut self, read: DependencyKey) {
        self.numbered += 1;
        (self.number[read], self.lowlink[read]) = (self.numbered, self.numbered);
        self.is_open[read] = true;
        self.open.push(read);
    }

    fn complete(&mut self, first: DependencyKey) {
        let start = self.open.iter().rposition(|open| *open == first).unwrap_or(0);
        let members = self.open.split_off(start);
        let is_circle = members.len() > 1 || self.reads(first).contains(&Some(first));
        for member in members {
            self.is_open[member] = false;
            let Some(constraint) = self.constraint(member) else { continue };
            if is_circle {
                self.circular.push(constraint.node);
            } else {
                self.ordered.push(*constraint);
            }
        }
    }
}
