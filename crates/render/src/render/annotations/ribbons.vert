// Instanced segments of polylines with constant screen width. Appended to eye.glsl.

in vec2 corner; // x: start or end of the segment; y: side of the line
in vec3 before; // previous point; equals the start at the beginning of a line
in vec3 start;
in vec3 end;
in vec3 after;
in vec2 numbers; // point numbers of start and end
uniform mat4 viewProjection;
uniform float reach; // half width including the edge, points
out float offset;    // points from the centre line
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
    // A mitre would be a spike where the line reverses its direction.
    mean = length(mean) > 0.5 ? normalize(mean) : own;
    float longer = 1.0 / max(dot(mean, own), 0.5);
    offset = corner.y * reach;
    number = isEnd ? numbers.y : numbers.x;
    gl_Position = viewProjection * vec4(p + mean * (offset * longer * worldPerPointAt(p)), 1.0);
}
