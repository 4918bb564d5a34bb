// SPDX-License-Identifier: Apache-2.0
// The one header of the engine that other folders include.
//
// load_model() gives an immutable Model; an Engine runs one scheduler thread for it, which owns the
// KV pages and all running sequences. Requests come from any thread and answer by events. No
// exception crosses this header.
#pragma once

#include "engine/base/result.h"
#include "engine/sampling/params.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sotto {

using TokenId = std::int32_t;
using Pos = std::int32_t;

/// A flag that many may hold and anyone may set, from any thread.
class CancelToken {
  public:
    void cancel() const { flag_->store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool cancelled() const { return flag_->load(std::memory_order_relaxed); }

  private:
    std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

// ---- the machine -----------------------------------------------------------------------------

struct CpuInfo {
    std::string description;            ///< vendor, model and the features that levels depend on
    std::vector<std::string> supported; ///< levels this CPU has, slowest first
    std::string used;                   ///< the one that runs
    int n_cores = 1;                    ///< logical processors this process may use
};
/// Fails where SOTTO_ISA names a level that does not exist or that the CPU lacks.
Result<CpuInfo> cpu_info();

/// What the machine can do at most, measured now: benchmarks compare the engine with it.
struct MachineLimits {
    double read_gb_per_s = 0;     ///< reading memory once, in order; 1e9 bytes
    double products_giga_ops = 0; ///< 8-bit products from registers; an addition counts too
};

/// Measures with the same pool of workers that an engine has. One thread at a time may use it.
class MachineProbe {
  public:
    virtual ~MachineProbe() = default;
    /// Blocks for about 0.3 s.
    virtual MachineLimits measure() = 0;
};
/// `isa`: a level of CpuInfo::supported, empty: CpuInfo::used. Takes memory_bytes, which must not
/// fit the processor's caches. Errors: bad_argument, no_memory.
Result<std::unique_ptr<MachineProbe>> create_machine_probe(int n_threads, const std::string& isa,
                                                           std::size_t memory_bytes);

// ---- models ----------------------------------------------------------------------------------

struct ToolCall {
    std::string id = {}; ///< may be empty
    std::string name = {};
    std::string arguments = {}; ///< JSON text of an object
};

struct ChatMessage {
    std::string role = {}; ///< "system", "user", "assistant" or "tool"
    std::string content = {};
    /// The texts that `content` was joined from, where it came as a list; templates that take lists
    /// see them apart.
    std::vector<std::string> content_parts = {};
    std::string reasoning = {}; ///< what an assistant thought before it answered; most templates
                                ///< leave it out of earlier turns
    std::vector<ToolCall> tool_calls = {};         ///< of an assistant
    std::string tool_call_id = {}, tool_name = {}; ///< of a tool's result
};

struct ChatOptions {
    bool add_generation_prompt = true;
    /// What templates call enable_thinking; unset: as the template has it.
    std::optional<bool> enable_thinking = {};
    /// JSON text of a list of tools, each {"type": "function", "function": {name, description,
    /// parameters}}; empty: none.
    std::string tools = {};
    /// For templates that write the date; unset: now, local time.
    std::optional<std::int64_t> unix_time = {};
};

/// How a model marks off what it thinks before it answers: "<think>", "</think>". Empty: it does
/// not.
struct ThinkingMarks {
    std::string open = {}, close = {};
    [[nodiscard]] bool empty() const { return close.empty(); }
};

/// A chat as the model is fed it. Special tokens come from the template alone: what a person typed
/// is ordinary text, whatever it looks like.
struct RenderedChat {
    std::string text; ///< for people and tests; tokens are not made from it
    std::vector<TokenId> tokens;
    bool thinking_open = false; ///< the prompt ends inside a thought: the answer begins with it
    std::string notice;         ///< a sentence, if a built-in template stood in for one that failed
};

struct MetadataEntry {
    std::string key;
    std::string type;  ///< "u32", "string", "array of string"
    std::string value; ///< long values and lists are cut, their length told
};

struct TensorTypeCount {
    std::string type;
    std::int64_t n_tensors = 0;
    std::int64_t n_bytes = 0;
    std::int64_t n_elements = 0;
};

/// How keys and values are kept: 16 or 32 bits, or 8 with a scale for each token and 32 dimensions.
enum class CacheType : std::uint8_t { F16, F32, Q8_0 };
inline constexpr std::array kCacheTypes = {CacheType::F16, CacheType::F32, CacheType::Q8_0};
/// "f16", "f32", "q8_0"
const char* cache_type_name(CacheType type);
/// Of keys and of values.
struct CacheTypes {
    CacheType k = CacheType::F16, v = CacheType::F16;
    CacheTypes() = default;
    CacheTypes(CacheType both) : k(both), v(both) {}
    CacheTypes(CacheType keys, CacheType values) : k(keys), v(values) {}
    bool operator==(const CacheTypes&) const = default;
};
/// "f16", or "q8_0:f16" where keys and values differ
std::string cache_types_name(CacheTypes types);
/// Reads what cache_types_name() writes; bad_argument names the types there are.
Result<CacheTypes> parse_cache_types(std::string_view text);

/// What is known of a loaded model, for people.
struct ModelInfo {
    std::string path;
    std::string name; ///< the file's name without folder, type and ending: "SmolLM2-135M-Instruct"
    std::string architecture;          ///< "llama"
    std::string quantization;          ///< the recipe the file names, or its commonest type: "Q4_1"
    std::string tokenizer;             ///< "byte-level BPE (smollm), 49152 tokens"
    std::string chat_template;         ///< "the model's own", "ChatML (built in): ..."
    std::string template_source;       ///< as it stands in the model; empty where it has none
    std::string template_warning;      ///< sentences: which built-in one is used, and why; matters
                                       ///< for chats alone, so it is not among `warnings`
    ThinkingMarks thinking;            ///< empty: it does not think before it answers
    bool can_switch_thinking = false;  ///< the template heeds ChatOptions::enable_thinking
    std::vector<std::string> warnings; ///< odd things met while loading, a sentence each
    std::vector<MetadataEntry> metadata;
    std::vector<TensorTypeCount> tensor_types;
    std::int64_t file_bytes = 0;
    std::int64_t weight_bytes = 0; ///< in memory, packed
    std::int64_t n_parameters = 0;
    /// By CacheType; keys take half of it, values the other half.
    std::array<std::int64_t, kCacheTypes.size()> kv_bytes_per_token{};
    [[nodiscard]] std::int64_t kv_bytes(CacheTypes types, std::int64_t n_tokens) const {
        const auto of = [this](CacheType type) {
            return kv_bytes_per_token[static_cast<std::size_t>(type)];
        };
        return (of(types.k) + of(types.v)) / 2 * n_tokens;
    }
    /// Bytes of matrices, as the file has them, that writing a token reads: all of them once, of
    /// the embeddings a row.
    std::int64_t bytes_per_token = 0;
    /// Products of weights for a token of a prompt: those of the output matrix are left out.
    std::int64_t products_per_token = 0;
    int n_vocab = 0, n_ctx_train = 0, n_layer = 0, n_embd = 0, n_head = 0, n_head_kv = 0,
        head_dim = 0, n_ff = 0;
    double load_ms = 0;
};

/// Immutable once loaded; every method may be called from any thread.
class Model {
  public:
    virtual ~Model() = default;
    [[nodiscard]] virtual const ModelInfo& info() const = 0;

    /// add_bos: prepend the begin token if the file says so and the text does not begin with it.
    /// parse_special: text that spells a special token becomes it (never for what a person typed
    /// into a chat). Invalid UTF-8 is
    /// tokenized bytewise.
    [[nodiscard]] virtual std::vector<TokenId> tokenize(std::string_view text, bool add_bos,
                                                        bool parse_special) const = 0;
    /// The bytes a token stands for; empty for control tokens unless `special`, and for ids out of
    /// range.
    [[nodiscard]] virtual std::string token_bytes(TokenId id, bool special) const = 0;
    /// -1 where the file names none.
    [[nodiscard]] virtual TokenId bos_token() const = 0;
    [[nodiscard]] virtual bool adds_bos() const = 0;
    [[nodiscard]] virtual bool is_end_of_turn(TokenId id) const = 0;
    /// Runs the model's template, in bounded time: not on the window's thread. One that fails gives
    /// way to a built-in one; what the template itself refuses (a role it does not know) is an
    /// error with its words.
    [[nodiscard]] virtual Result<RenderedChat> render_chat(std::span<const ChatMessage> messages,
                                                           const ChatOptions& options) const = 0;
};

struct LoadOptions {
    int n_threads = 0; ///< 0: one per core
    std::string isa;   ///< a level of CpuInfo::supported; empty: CpuInfo::used
    CancelToken cancel;
    /// Bytes packed so far and in all; called on a loading thread, about every 10 ms; must not
    /// block.
    std::function<void(std::int64_t done, std::int64_t total)> on_progress;
};

/// Blocks while it reads and packs: never call it on the window's thread. Any file may be handed to
/// it; whatever is wrong with one is told in the Error.
Result<std::shared_ptr<const Model>> load_model(const std::string& path,
                                                const LoadOptions& options);

/// What load_model() would tell of a model, without its weights: fast, in little memory.
Result<ModelInfo> describe_model(const std::string& path);

// ---- running ---------------------------------------------------------------------------------

/// One operation of a step, from its first chunk to its last.
struct OperationTime {
    const char* name = ""; ///< a literal: "qkv", "attention", ...
    double seconds = 0;
    std::int64_t weight_bytes = 0; ///< packed weights that it read
    std::int64_t n_products = 0;   ///< multiplications with them
};

struct EngineOptions {
    int n_threads = 0; ///< 0: one per core
    int n_ctx = 0;     ///< tokens a sequence may hold; 0: the model's trained length, at most what
                       ///< memory allows
    int n_batch = 256; ///< prompt tokens computed in one step at most (prefill chunk)
    CacheTypes cache_type;
    /// Memory for keys and values of all requests, running or earlier; 0: one full context, and as
    /// far as half of the free memory goes, three more.
    std::int64_t max_kv_bytes = 0;
    int n_slots = 16; ///< requests that run at once, 1..256; the others wait
    /// How long a step should last that computes prompts while answers are written: they go on at
    /// its pace.
    double step_ms = 60;
    int token_budget = 0; ///< prompt tokens in such a step instead; 0: as many as step_ms allows
    /// Of the prompt tokens in a step, the percentage that the oldest request has for itself; the
    /// others go to those with the fewest left. 100: strictly in the order they came.
    int oldest_share = 25;
    /// For measurements: after each step its operations in order, on the scheduler thread. Empty:
    /// nothing is measured.
    std::function<void(std::span<const OperationTime>)> on_step_times;
};

/// Kept apart, so that no rate hides another.
struct Timings {
    double load_ms = 0;              ///< of the model
    double ttft_ms = 0;              ///< submit to first token
    std::int64_t prefill_tokens = 0; ///< prompt tokens computed for this request
    double prefill_tokens_per_s = 0;
    std::int64_t reused_tokens = 0;     ///< prompt tokens whose keys and values were there already
    std::int64_t recomputed_tokens = 0; ///< computed again, because memory was short meanwhile
    std::int64_t decode_tokens = 0;     ///< tokens that came out of decode steps: all but the first
    double decode_tokens_per_s = 0;
    int threads_used = 0;       ///< workers that really took part
    std::int64_t n_context = 0; ///< tokens the sequence holds now
};

enum class FinishReason : std::uint8_t {
    stop,    ///< an end-of-turn token or a stop string
    length,  ///< the token limit of the request
    context, ///< the context is full
    cancelled,
    error,
};
const char* finish_reason_name(FinishReason reason);

struct Event {
    enum class Kind : std::uint8_t { prefill, token, finished };
    Kind kind = Kind::token;
    // prefill: prompt tokens computed or reused so far, of prompt_total
    std::int64_t prompt_done = 0, prompt_total = 0;
    // token
    TokenId token = -1;
    std::int64_t index = 0; ///< of the token in the answer
    /// Whole characters that may be shown now; may be empty; also with `finished`. What the model
    /// thinks and what it answers are kept apart, without the marks between them.
    std::string text, thinking;
    // finished
    FinishReason reason = FinishReason::stop;
    Error error; ///< with FinishReason::error
    // every kind
    Timings timings;
};

/// One change of the sampling settings while an answer was written.
struct SamplingChange {
    std::int64_t index = 0; ///< of the first token of the answer sampled with it
    SamplingParams params;
};

struct RequestOptions {
    std::vector<TokenId> prompt; ///< at least one token
    SamplingParams sampling;
    std::int64_t max_tokens = -1; ///< -1: until the context is full
    std::vector<std::string>
        stop; ///< the answer ends before the first of these; they are not shown
    bool stop_at_end_of_turn = true;
    ThinkingMarks thinking;     ///< of the model; empty: all is text
    bool thinking_open = false; ///< RenderedChat::thinking_open
    /// Called once the context is full, with the answer so far: a shorter prompt to go on with (see
    /// fit_chat()); nothing, or one that does not fit either, ends the request with
    /// FinishReason::context. Empty: so does a full context. On the scheduler thread, which it
    /// holds up: milliseconds, no more.
    std::function<std::vector<TokenId>(std::span<const TokenId> answer)> on_context_full;
    /// Teacher forcing: these are fed as the answer, whatever would have been picked; the request
    /// ends after them.
    std::vector<TokenId> forced;
    /// Called on the scheduler thread, in order; must not block (hand the event over and return).
    std::function<void(const Event&)> on_event;
    /// Logits [n_vocab] of every position from which a token is picked, or in
    /// `score_begin..score_end` of the prompt (positions in it); on the scheduler thread, before
    /// the token's event. The span dies with the call.
    std::function<void(Pos pos, std::span<const float> logits)> on_logits;
    Pos score_begin = 0, score_end = 0;
};

/// A request that was submitted. Letting go of the handle does not end it.
class Request {
  public:
    virtual ~Request() = default;
    /// Any thread. The request ends within 100 ms with FinishReason::cancelled.
    virtual void cancel() = 0;
    /// Any thread. Acts from the next token on.
    virtual void set_sampling(const SamplingParams& params) = 0;
    /// Any thread. What was changed, in order.
    [[nodiscard]] virtual std::vector<SamplingChange> sampling_changes() const = 0;
    /// Blocks until `finished` was delivered. Not on the window's thread, not from on_event.
    virtual void wait() = 0;
};

/// What the scheduler is doing; a snapshot.
struct EngineStatus {
    int n_threads = 0, n_ctx = 0;
    int n_running = 0, n_waiting = 0;
    int n_paused = 0;               ///< of those that run: until others leave them memory
    std::int64_t kv_bytes = 0;      ///< memory the KV pages hold
    std::int64_t kv_used_bytes = 0; ///< of it, what requests and reusable tokens take
    std::int64_t kv_max_bytes = 0;  ///< what it may become
    std::int64_t prompt_tokens = 0; ///< of all requests so far
    std::int64_t reused_tokens = 0; ///< of these, those that were computed already
};

/// All methods may be called from any thread. The destructor cancels what runs and joins the
/// scheduler.
class Engine {
  public:
    virtual ~Engine() = default;
    /// Errors (an empty prompt, one longer than the context, an id out of range) come as a
    /// `finished` event.
    virtual std::shared_ptr<Request> submit(RequestOptions options) = 0;
    /// Acts between two steps; clamped to 1..256.
    virtual void set_n_threads(int n_threads) = 0;
    [[nodiscard]] virtual EngineStatus status() const = 0;
    /// Writes to a file what is known of the keys and values of `tokens`, from the first token on;
    /// returns how many tokens that was. Blocks, for the current step at least: not on the window's
    /// thread, not from on_event. The file appears whole or not at all; it holds what was said.
    /// Errors: io.
    virtual Result<std::int64_t> save_context(std::span<const TokenId> tokens,
                                              const std::string& path) = 0;
    /// Takes up what save_context() wrote, so that prompts which begin with these tokens compute
    /// only what is new; returns how many tokens that is. Blocks as it does. A file of another
    /// model, chat template, cache type or version, or a damaged one, changes nothing. Errors: io,
    /// unsupported, bad_file, no_memory.
    virtual Result<std::int64_t> restore_context(const std::string& path) = 0;
    [[nodiscard]] virtual const std::shared_ptr<const Model>& model() const = 0;
};

Result<std::unique_ptr<Engine>> create_engine(std::shared_ptr<const Model> model,
                                              const EngineOptions& options);

/// What a model and its engine will take of memory once the context is full, beside what the
/// program takes already.
struct MemoryEstimate {
    int n_ctx = 0; ///< what create_engine() would choose
    std::int64_t weight_bytes = 0, vocabulary_bytes = 0;
    std::int64_t kv_bytes = 0;        ///< of one full context
    std::int64_t buffer_bytes = 0;    ///< activations of the largest step, scores
    std::int64_t freed_bytes = 0;     ///< by what is let go before
    std::int64_t available_bytes = 0; ///< free now, or left by a container's limit; 0: not known
    [[nodiscard]] std::int64_t total_bytes() const {
        return weight_bytes + vocabulary_bytes + kv_bytes + buffer_bytes;
    }
    /// What is missing; 0: it fits, or nothing is known.
    [[nodiscard]] std::int64_t missing_bytes() const {
        const std::int64_t missing = total_bytes() - freed_bytes - available_bytes;
        return available_bytes > 0 && missing > 0 ? missing : 0;
    }
};
/// Before loading, from describe_model(), or after. `freed_bytes`: what a model that gives way
/// holds.
MemoryEstimate estimate_memory(const ModelInfo& info, const EngineOptions& options,
                               std::int64_t freed_bytes = 0);

// ---- chats that outgrow the context ------------------------------------------------------------

enum class ContextFull : std::uint8_t {
    stop,       ///< say so; nothing is left out
    drop_turns, ///< leave out the oldest turns, see fit_chat()
};

struct FittedChat {
    RenderedChat chat;
    /// Messages left out, counted from the first one that is no system message.
    int n_dropped = 0;
};
/// Renders a chat so that it fits into n_ctx tokens with an answer of n_answer tokens so far and
/// one more: where it does not, whole turns (a question with all that follows it) are left out, the
/// oldest first, down to about 60 % of the context at once, so that this is rare and what is kept
/// can be reused until the next time. System messages at the beginning stay, and so does the last
/// turn. n_dropped: those left out before; they stay left out. Errors: too_long, naming both
/// numbers, if the last turn alone does not fit; those of render_chat().
Result<FittedChat> fit_chat(const Model& model, std::span<const ChatMessage> messages,
                            const ChatOptions& options, int n_ctx, std::int64_t n_answer,
                            int n_dropped);

// ---- helpers ---------------------------------------------------------------------------------

/// SHA-256 over the little-endian f32 rows handed to it, as hex.
class LogitsHash {
  public:
    LogitsHash();
    ~LogitsHash();
    LogitsHash(LogitsHash&&) noexcept;
    LogitsHash& operator=(LogitsHash&&) noexcept;
    void add(std::span<const float> logits);
    [[nodiscard]] std::string hex();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Negative log-probability of `token` under `logits`, in nats; the same bits everywhere.
double negative_log_prob(std::span<const float> logits, TokenId token);

} // namespace sotto
