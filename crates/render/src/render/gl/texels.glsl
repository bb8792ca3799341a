// Reads arrays that data_texture.rs writes by row and layer.

vec4 texelAt(highp sampler2DArray data, int index) {
    ivec3 size = textureSize(data, 0);
    int row = index / size.x;
    return texelFetch(data, ivec3(index % size.x, row % size.y, row / size.y), 0);
}
