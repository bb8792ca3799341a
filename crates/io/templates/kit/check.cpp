// Compares your points with a sample of this kit: check lbs/SAMPLE.json MINE.f32 [TOLERANCE]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static std::string read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) { std::fprintf(stderr, "%s cannot be read\n", path); std::exit(2); }
    return {std::istreambuf_iterator<char>(file), {}};
}

// Reads the numbers of all lists "positions":[[x,y,z],...], one list after the other.
static std::vector<double> positions(const std::string& json) {
    static const std::string key = "\"positions\":";
    std::vector<double> numbers;
    for (size_t at = json.find(key); at != std::string::npos; at = json.find(key, at)) {
        for (at += key.size(); at < json.size() && json[at] != '"' && json[at] != '}';) {  // The list ends at the next key.
            char* end = nullptr;
            double number = std::strtod(&json[at], &end);
            if (end == &json[at]) { ++at; continue; }
            numbers.push_back(number);
            at = static_cast<size_t>(end - json.data());
        }
    }
    return numbers;
}

int main(int count, char** args) {
    if (count < 3) { std::fprintf(stderr, "check lbs/SAMPLE.json MINE.f32 [TOLERANCE]\n"); return 2; }
    const std::vector<double> expected = positions(read(args[1]));
    const std::string bytes = read(args[2]);
    std::vector<float> mine(bytes.size() / sizeof(float));
    std::copy_n(bytes.data(), mine.size() * sizeof(float), reinterpret_cast<char*>(mine.data()));
    if (mine.size() != expected.size()) { std::fprintf(stderr, "%zu numbers, but the kit has %zu\n", mine.size(), expected.size()); return 1; }
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300}, largest = 0;
    for (size_t i = 0; i < mine.size(); ++i) {
        low[i % 3] = std::min(low[i % 3], expected[i]);
        high[i % 3] = std::max(high[i % 3], expected[i]);
    }
    const double diagonal = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    const double size = diagonal > 0 ? diagonal : 1;
    for (size_t i = 0; i < mine.size(); i += 3) {
        const double error = std::hypot(mine[i] - expected[i], mine[i + 1] - expected[i + 1], mine[i + 2] - expected[i + 2]) / size;
        if (!(error <= largest)) { largest = std::isnan(error) ? HUGE_VAL : error; }
    }
    std::printf("largest error: %.2g of the size\n", largest);
    return largest <= (count > 3 ? std::atof(args[3]) : 1e-4) ? 0 : 1;
}
