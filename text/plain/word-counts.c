// A QIP component: text in, its words and how often each occurs out, the most frequent first.

#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define GETTER(name, value) \
    EXPORT(name) int32_t name(void) { return (int32_t)(value); }

enum {
    INPUT_CAP = 256 << 10,
    WORDS_CAP = 4096,
    // Half of them stay free, so that a search ends soon.
    SLOTS = 2 * WORDS_CAP,
    // A word is as long as in the text; its line has a comma, a count of six digits and a line feed besides.
    OUTPUT_CAP = 11 + INPUT_CAP + 8 * WORDS_CAP,
    // A count has two digits of so many values.
    RADIX = 1 << 9,
};

struct word {
    const uint8_t *start;
    uint32_t length, count;
};

static const char input_type[] = "text/plain", output_type[] = "text/csv";

// What a byte is in a word: 1 itself, 2 a capital letter. What is not ASCII belongs to words.
static const uint8_t kinds[256] = {
    ['0' ... '9'] = 1, ['A' ... 'Z'] = 2, ['a' ... 'z'] = 1, [0x80 ... 0xff] = 1};

static uint8_t input[INPUT_CAP], output[OUTPUT_CAP];
// In the order of the text, then of the counts.
static struct word words[WORDS_CAP], sorted[WORDS_CAP];
// The index of a word, plus one, where its hash leads.
static uint16_t slots[SLOTS];

GETTER(input_ptr, input)
GETTER(input_utf8_cap, INPUT_CAP)
GETTER(input_content_type_ptr, input_type)
GETTER(input_content_type_size, sizeof input_type - 1)
GETTER(output_utf8_cap, OUTPUT_CAP)
GETTER(output_content_type_ptr, output_type)
GETTER(output_content_type_size, sizeof output_type - 1)
GETTER(failure_modes_per_input_offset, 1)

static uint8_t lower(uint8_t byte) { return kinds[byte] == 2 ? byte | 0x20 : byte; }

static int same(const struct word *word, const uint8_t *start, uint32_t length) {
    if (word->length != length) return 0;
    for (uint32_t i = 0; i < length; i++)
        if (lower(word->start[i]) != lower(start[i])) return 0;
    return 1;
}

// Counts a word of this hash, of which there are `count` others, and returns how many there are then.
static uint32_t add(const uint8_t *start, uint32_t length, uint32_t hash, uint32_t count) {
    uint32_t slot = hash % SLOTS;
    for (; slots[slot]; slot = (slot + 1) % SLOTS) {
        struct word *word = &words[slots[slot] - 1];
        if (same(word, start, length)) {
            word->count++;
            return count;
        }
    }
    if (count < WORDS_CAP) {
        words[count] = (struct word){start, length, 1};
        slots[slot] = count + 1;
    }
    return count + 1;
}

// Sorts by one digit of the count, falling; what is equal keeps its order.
static void sort(const struct word *from, struct word *to, uint32_t count, uint32_t shift) {
    uint32_t ends[RADIX] = {0};
    for (uint32_t i = 0; i < count; i++) ends[from[i].count >> shift & (RADIX - 1)]++;
    for (uint32_t digit = RADIX - 1; digit-- > 0;) ends[digit] += ends[digit + 1];
    for (uint32_t i = count; i-- > 0;) to[--ends[from[i].count >> shift & (RADIX - 1)]] = from[i];
}

static uint8_t *line(uint8_t *out, const struct word *word) {
    for (uint32_t i = 0; i < word->length; i++) *out++ = lower(word->start[i]);
    *out++ = ',';
    uint8_t digits[10];
    uint32_t size = 0;
    for (uint32_t rest = word->count; rest; rest /= 10) digits[size++] = '0' + rest % 10;
    while (size) *out++ = digits[--size];
    *out++ = '\n';
    return out;
}

EXPORT(render) int64_t render(int32_t size) {
    if ((uint32_t)size > INPUT_CAP) __builtin_trap();
    const uint8_t *end = input + size;
    uint32_t count = 0;
    __builtin_memset(slots, 0, sizeof slots);
    for (const uint8_t *next = input; next < end; next++) {
        const uint8_t *start = next;
        uint32_t hash = 2166136261;
        while (next < end && kinds[*next]) hash = (hash ^ lower(*next++)) * 16777619;
        if (next > start) count = add(start, next - start, hash, count);
        if (count > WORDS_CAP) return INT64_MIN | (start - input);
    }
    sort(words, sorted, count, 0);
    sort(sorted, words, count, 9);
    uint8_t *out = output;
    for (const char *header = "word,count\n"; *header;) *out++ = *header++;
    for (uint32_t i = 0; i < count; i++) out = line(out, &words[i]);
    return (int64_t)(uintptr_t)output << 32 | (out - output);
}
