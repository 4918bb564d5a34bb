// SPDX-License-Identifier: Apache-2.0
// The patterns match what those match that the models' authors publish in their tokenizer.json;
// which name stands for which is as in GGUF files (key tokenizer.ggml.pre).
#include "engine/tokenizer/split_rules.h"

#include <algorithm>

namespace sotto::tokenizer {
namespace {

// White space as Unicode has it. The library's \s is close, but takes U+180E for a blank too.
#define SOTTO_BLANKS                                                                               \
    R"(\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})"
#define SOTTO_BLANKS_IN_LINE                                                                       \
    R"(\t\x0B\f \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})"

// Repeats that are followed by something they cannot contain are possessive (++), so that a long
// run is never walked back.
//
// Blanks up to the last one before a word; else blanks. The first repeat stays greedy: at most it
// gives back one character and is done.
#define SOTTO_BLANK_RUN "|[" SOTTO_BLANKS "]+(?![^" SOTTO_BLANKS "])|[" SOTTO_BLANKS "]++"
// "\s*[\r\n]+" backs up to the last line end of a run of blanks; here it is blanks that are no line
// ends, then line ends, repeated.
#define SOTTO_LINE_ENDS "|(?:[" SOTTO_BLANKS_IN_LINE R"(]*+[\r\n]++)++)"
#define SOTTO_CONTRACTION "(?i:'s|'t|'re|'ve|'m|'ll|'d)"

// Contractions; words, numbers and other marks with one space before; blanks.
constexpr const char* kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}++| ?\p{N}++| ?[^\p{L}\p{N})" SOTTO_BLANKS
    "]++" SOTTO_BLANK_RUN;
constexpr const char* kDigit = R"(\p{N})";
constexpr const char* kDigits = R"(\p{N}++)";
constexpr const char* kThreeDigits = R"(\p{N}{1,3}+)";
constexpr const char* kLineEnd = R"([\r\n])";

// Llama 3 and Qwen 2 differ in how many digits stay together.
#define SOTTO_MODERN(digits)                                                                       \
    SOTTO_CONTRACTION R"(|[^\r\n\p{L}\p{N}]?+\p{L}++|)" digits R"(| ?[^\p{L}\p{N})" SOTTO_BLANKS   \
                      R"(]++[\r\n]*+)" SOTTO_LINE_ENDS SOTTO_BLANK_RUN
constexpr const char* kLlama3 = SOTTO_MODERN(R"(\p{N}{1,3}+)");
constexpr const char* kQwen2 = SOTTO_MODERN(R"(\p{N})");
// Marks belong to words. The first character may be a mark itself: it is given back if no word
// follows.
constexpr const char* kQwen35 =
    SOTTO_CONTRACTION R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]++|\p{N}| ?[^\p{L}\p{M}\p{N})" SOTTO_BLANKS
                      R"(]++[\r\n]*+)" SOTTO_LINE_ENDS SOTTO_BLANK_RUN;

// Words begin anew at capitals. Letters without case are in both sets, so the first repeat gives
// back, once for each match.
#define SOTTO_CAPITALS R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define SOTTO_SMALL R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define SOTTO_CASED(digits, ending)                                                                \
    R"([^\r\n\p{L}\p{N}]?)" SOTTO_CAPITALS "*" SOTTO_SMALL "++" ending                             \
    R"(|[^\r\n\p{L}\p{N}]?)" SOTTO_CAPITALS "+" SOTTO_SMALL "*+" ending "|" digits                 \
    R"(| ?[^\p{L}\p{N})" SOTTO_BLANKS R"(]++[\r\n/]*+)" SOTTO_LINE_ENDS SOTTO_BLANK_RUN
constexpr const char* kTekken = SOTTO_CASED(R"(\p{N})", "");
constexpr const char* kGpt4o = SOTTO_CASED(R"(\p{N}{1,3}+)", SOTTO_CONTRACTION "?");

constexpr const char* kFalconMarks = R"([\p{P}$+<=>^~|`]++)";
constexpr const char* kThreeAsciiDigits = "[0-9]{3}";

#define SOTTO_OPTIONAL_BLANK "[" SOTTO_BLANKS "]?"
constexpr const char* kDeepseekCjk = R"([\x{4E00}-\x{9FA5}\x{800}-\x{4E00}\x{AC00}-\x{D7FF}]++)";
constexpr const char* kDeepseekCoderWords = SOTTO_OPTIONAL_BLANK R"(\p{L}++)";
constexpr const char* kDeepseekCoderMarks = SOTTO_OPTIONAL_BLANK R"(\p{P}++)";
// The letters that have a case, as the authors list them.
constexpr const char* kDeepseekWords = SOTTO_OPTIONAL_BLANK
    "["
    R"(A-Za-z\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293})"
    R"(\x{295}-\x{2AF}\x{370}-\x{373}\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386})"
    R"(\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1}\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F})"
    R"(\x{531}-\x{556}\x{10A0}-\x{10C5}\x{13A0}-\x{13F5}\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA})"
    R"(\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77}\x{1D79}-\x{1D9A})"
    R"(\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D})"
    R"(\x{1F50}-\x{1F57}\x{1F59}\x{1F5B}\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4})"
    R"(\x{1FB6}-\x{1FBC}\x{1FBE}\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC}\x{1FD0}-\x{1FD3})"
    R"(\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107})"
    R"(\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D}\x{2124}\x{2126}\x{2128}\x{212A}-\x{212D})"
    R"(\x{212F}-\x{2134}\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}\x{214E}\x{2183}\x{2184})"
    R"(\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4}\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D})"
    R"(\x{A680}-\x{A69B}\x{A722}-\x{A76F}\x{A771}-\x{A787}\x{A78B}-\x{A78E})"
    R"(\x{AB70}-\x{ABBF}\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A})"
    R"(\x{FF41}-\x{FF5A}\x{10400}-\x{1044F}\x{104B0}-\x{104D3}\x{104D8}-\x{104FB})"
    R"(\x{10C80}-\x{10CB2}\x{10CC0}-\x{10CF2}\x{118A0}-\x{118DF}\x{1E900}-\x{1E943})"
    "]++";
constexpr const char* kDeepseekMarks =
    SOTTO_OPTIONAL_BLANK R"([!-/:-~\x{FF01}-\x{FF0F}\x{FF1A}-\x{FF5E}\x{2018}-\x{201F})"
                         R"(\x{3000}-\x{3002}]++)";
// "\s+$", which would be tried at each blank of a run: only the first can begin a match.
constexpr const char* kBlanksAtEnd = "(?<![" SOTTO_BLANKS "])[" SOTTO_BLANKS R"(]++\z)";

constexpr const char* kDeepseek3Cjk = R"([\x{4E00}-\x{9FA5}\x{3040}-\x{309F}\x{30A0}-\x{30FF}]++)";
constexpr const char* kDeepseek3 =
    R"([!-/:-@\[-`{-~][A-Za-z]++|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]++| ?[\p{P}\p{S}]++[\r\n]*+)" SOTTO_LINE_ENDS
        SOTTO_BLANK_RUN;

constexpr const char* kBloom =
    R"( ?[^(|.,!?\x{2026}\x{3002}\x{FF0C}\x{3001}\x{964}\x{6D4}\x{60C}))" SOTTO_BLANKS "]++";

/// What files hold, and the pattern of ours for it.
struct Published {
    std::string_view text;
    const char* ours;
};
constexpr Published kPublished[] = {
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", kGpt2},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)",
     kLlama3},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)",
     kQwen2},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+)"
     R"([\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     kQwen35},
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
     R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
     R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     kTekken},
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     kGpt4o},
    {R"(\p{N})", kDigit},
    {R"(\p{N}+)", kDigits},
    {R"(\p{N}{1,3})", kThreeDigits},
    {R"([\r\n])", kLineEnd},
    {"[\r\n]", kLineEnd},
    {R"(\s?\p{L}+)", kDeepseekCoderWords},
    {R"(\s?\p{P}+)", kDeepseekCoderMarks},
};

} // namespace

const std::vector<SplitRule>& split_rules() {
    static const std::vector<SplitRule> rules = {
        {{"gpt-2", "gpt2", "phi-2", "mpt", "olmo", "jais", "trillion", "exaone4", "gigachat",
          "a.x-4.0", "mellum", "granite-docling", "roberta-bpe", "jina-v1-en", "jina-v2-es",
          "jina-v2-de", "jina-v2-code"},
         {kGpt2}},
        {{"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b",
          "mellum2"},
         {kDigit, kGpt2}},
        {{"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
          "glm4", "glm5"},
         {kLlama3},
         true},
        {{"smaug-bpe", "dbrx", "chatglm-bpe"}, {kLlama3}},
        {{"qwen2", "deepseek-r1-qwen", "stablelm2", "megrez", "hunyuan", "solar-open", "grok-2",
          "kormo"},
         {kQwen2}},
        {{"qwen35"}, {kQwen35}},
        {{"deepseek-llm"},
         {kLineEnd, kDeepseekWords, kDeepseekMarks, kBlanksAtEnd, kDeepseekCjk, kDigits}},
        {{"deepseek-coder"},
         {kLineEnd, kDeepseekCoderWords, kDeepseekCoderMarks, kDeepseekCjk, kDigit}},
        {{"deepseek-v3", "hunyuan-dense", "joyai-llm"}, {kThreeDigits, kDeepseek3Cjk, kDeepseek3}},
        {{"falcon"}, {kFalconMarks, kGpt2, kThreeAsciiDigits}},
        {{"tekken"}, {kTekken}, true},
        {{"gpt-4o", "llama4", "kanana2", "minimax-m2"}, {kGpt4o}},
        {{"bloom", "poro-chat", "gpt3-finnish"}, {kBloom}},
        {{"viking"}, {kBloom, kDigit}},
    };
    return rules;
}

const SplitRule* find_split_rule(std::string_view name) {
    for (const SplitRule& rule : split_rules()) {
        if (std::ranges::find(rule.names, name) != rule.names.end()) {
            return &rule;
        }
    }
    return nullptr;
}

const char* our_pattern(std::string_view published) {
    const auto* it = std::ranges::find(kPublished, published, &Published::text);
    return it == std::end(kPublished) ? nullptr : it->ours;
}

const char* gpt2_pattern() {
    return kGpt2;
}

} // namespace sotto::tokenizer
