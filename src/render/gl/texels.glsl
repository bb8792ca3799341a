// Arrays in textures, written by data_texture.rs row by row.

vec4 texelAt(highp sampler2D data, int index) {
    ivec2 size = textureSize(data, 0);
    return texelFetch(data, ivec2(index % size.x, index / size.x), 0);
}
