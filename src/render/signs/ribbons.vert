// Bands of constant width on the screen along polylines, one instance a segment. eye.glsl stands before this.

in vec2 corner; // x: start or end of the segment; y: side of the band
in vec3 before; // the point before the start; the start itself at the beginning of a line
in vec3 start;
in vec3 end;
in vec3 after;
in vec2 numbers; // of start and end along the line
uniform mat4 viewProjection;
uniform float reach; // half width with the edge, points
out float offset;    // points from the middle
out float number;

vec3 across(vec3 p, vec3 along) {
    vec3 side = cross(toViewer(p), along);
    float size = length(side);
    return size > 1e-12 ? side / size : vec3(0.0);
}

void main() {
    bool isEnd = corner.x > 0.0;
    vec3 p = isEnd ? end : start;
    vec3 own = across(p, end - start);
    vec3 mean = own + across(p, isEnd ? after - end : start - before);
    // Where the line turns back, a band that goes on would be a spike.
    mean = length(mean) > 0.5 ? normalize(mean) : own;
    float longer = 1.0 / max(dot(mean, own), 0.5);
    offset = corner.y * reach;
    number = isEnd ? numbers.y : numbers.x;
    gl_Position = viewProjection * vec4(p + mean * (offset * longer * worldPerPointAt(p)), 1.0);
}
