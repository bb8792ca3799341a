// Metallic-roughness shading: glTF 2.0, appendix B, with extensions. Switches: draw_material.rs and maps.rs.

uniform float roughness;
uniform float metallic;
uniform vec3 emission;
uniform float occlusionStrength;
uniform vec3 frontSpecular;     // dielectric reflectance at normal incidence
uniform float specularStrength; // dielectric reflectance at grazing angles
#ifdef COATED
uniform float coat;
uniform float coatRoughness;
#endif
#ifdef SHEEN
uniform vec3 sheenColor;
uniform float sheenRoughness;
#endif
#ifdef TRANSMITS
uniform float transmission;
#endif

const float PI = 3.14159265;

float fifth(float x) {
    float squared = x * x;
    return squared * squared * x;
}

// Specular reflection of the key light without colour: GGX with height-correlated Smith.
float keyGloss(float nl, float nv, float nh, float rough) {
    // Limits alpha, because smaller highlights flicker.
    float alpha = max(rough * rough, 0.004);
    float squared = alpha * alpha;
    float d = nh * nh * (squared - 1.0) + 1.0;
    float seen = nl * sqrt(nv * nv * (1.0 - squared) + squared) + nv * sqrt(nl * nl * (1.0 - squared) + squared);
    // The key colour is the light that white reflects: irradiance over pi.
    return squared / (d * d) * 0.5 / max(seen, 1e-5) * nl;
}

#ifdef TRANSMITS
// Transmitted fraction of the light.
float throughAt() {
#ifdef TRANSMISSION_MAP
    return transmission * texture(transmissionMap, transmissionMapAt()).r;
#else
    return transmission;
#endif
}
#endif

// Dominant reflection direction, nearer to the normal than a mirror's (Lagarde, Moving Frostbite to PBR, 2014, 4.9.3).
vec3 reflectionDirection(vec3 n, vec3 v, float rough) {
    float alpha = rough * rough;
    return normalize(mix(n, reflect(-v, n), (1.0 - alpha) * (sqrt(1.0 - alpha) + alpha)));
}

// Shades a point in world space, given the normals of surface, vertices and coat. Affine in each base colour channel.
vec3 lit(vec4 base, vec3 place, vec3 n, vec3 smoothNormal, vec3 coatNormal, vec3 v) {
    float rough = roughness;
    vec3 front;
    float metal = metallic;
#ifdef METALLIC_ROUGHNESS_MAP
    vec4 surface = texture(metallicRoughnessMap, metallicRoughnessMapAt());
    rough *= surface.g;
    metal *= surface.b;
#endif
    vec3 specularColor = frontSpecular;
    float grazing = specularStrength;
#ifdef SPECULAR_MAP
    grazing *= texture(specularMap, specularMapAt()).a;
#endif
#ifdef SPECULAR_COLOR_MAP
    specularColor *= texture(specularColorMap, specularColorMapAt()).rgb;
#endif
    vec3 diffuse = base.rgb * (1.0 - metal);
#ifdef SPECULAR_GLOSSINESS_MAP
    vec4 glossy = texture(specularGlossinessMap, specularGlossinessMapAt());
    specularColor *= glossy.rgb;
    rough = 1.0 - (1.0 - rough) * glossy.a;
    diffuse *= 1.0 - max(specularColor.r, max(specularColor.g, specularColor.b));
#endif
    front = mix(specularColor * grazing, base.rgb, metal);
    float edge = mix(grazing, 1.0, metal);
    float occlusion = 1.0;
#ifdef OCCLUSION_MAP
    occlusion = 1.0 + occlusionStrength * (texture(occlusionMap, occlusionMapAt()).r - 1.0);
#endif
#ifdef TRANSMITS
    diffuse *= 1.0 - throughAt();
#endif

    float nv = clamp(dot(n, v), 1e-3, 1.0);
    vec3 h = normalize(towardsKey + v);
    float nl = clamp(dot(n, towardsKey), 0.0, 1.0);
    float nh = clamp(dot(n, h), 0.0, 1.0);
    float vh = clamp(dot(v, h), 0.0, 1.0);
    vec3 key = keyColor * (nl > 0.0 ? keyAt(place, smoothNormal) : 0.0);

    vec3 shares = reflectedShares(nv, rough);
    vec3 mirrored = front * shares.x + edge * shares.y;
    vec3 fresnel = front + (edge - front) * fifth(1.0 - vh);
    // Light that the dielectric surface reflects does not reach the diffuse colour.
    vec3 plain = specularColor * grazing;
    vec3 lost = max(plain, plain * shares.x + grazing * shares.y);
    vec3 lostOfKey = plain + (grazing - plain) * fifth(1.0 - vh);
    vec3 color = diffuse * ((1.0 - lost) * scatteredAt(n) * occlusion + (1.0 - lostOfKey) * nl * key);
    color += mirrored * reflectionAt(reflectionDirection(n, v, rough), rough) * occlusion + fresnel * key * keyGloss(nl, nv, nh, rough);
#ifdef SHEEN
    vec3 fibres = sheenColor;
#ifdef SHEEN_MAP
    fibres *= texture(sheenMap, sheenMapAt()).rgb;
#endif
    float fibreRough = sheenRoughness;
#ifdef SHEEN_ROUGHNESS_MAP
    fibreRough *= texture(sheenRoughnessMap, sheenRoughnessMapAt()).a;
#endif
    float fibreAlpha = max(fibreRough * fibreRough, 0.05);
    float fibreShare = reflectedShares(nv, max(fibreRough, 0.22)).z;
    color *= 1.0 - max(fibres.r, max(fibres.g, fibres.b)) * fibreShare;
    float sine = sqrt(max(1.0 - nh * nh, 0.0));
    float fuzz = (2.0 + 1.0 / fibreAlpha) * pow(sine, 1.0 / fibreAlpha) * 0.5 / (4.0 * max(nl + nv - nl * nv, 1e-3)) * nl;
    color += fibres * (scatteredAt(n) * fibreShare * occlusion + key * fuzz);
#endif
#ifdef EMISSION_MAP
    color += emission * texture(emissionMap, emissionMapAt()).rgb;
#else
    color += emission;
#endif
#ifdef COATED
    float layer = coat;
    float layerRough = coatRoughness;
#ifdef COAT_MAP
    layer *= texture(coatMap, coatMapAt()).r;
#endif
#ifdef COAT_ROUGHNESS_MAP
    layerRough *= texture(coatRoughnessMap, coatRoughnessMapAt()).g;
#endif
    vec3 s = coatNormal;
    float sv = clamp(dot(s, v), 1e-3, 1.0);
    float sl = clamp(dot(s, towardsKey), 0.0, 1.0);
    float coatShare = layer * (0.04 + 0.96 * fifth(1.0 - sv));
    vec3 coatShares = reflectedShares(sv, layerRough);
    vec3 shine = (0.04 * coatShares.x + coatShares.y) * reflectionAt(reflect(-v, s), layerRough) * occlusion;
    shine += (0.04 + 0.96 * fifth(1.0 - vh)) * key * keyGloss(sl, sv, clamp(dot(s, h), 0.0, 1.0), layerRough);
    color = color * (1.0 - coatShare) + layer * shine;
#endif
    return color;
}
