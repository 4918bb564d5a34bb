// SPDX-License-Identifier: Apache-2.0
#include "engine/model/loader.h"

#include "engine/base/memory.h"
#include "engine/formats/ggml_types.h"
#include "kernels/fp_env.h"

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace sotto::model {
namespace {

std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t n : shape) {
        text += (text.empty() ? "" : "x") + std::to_string(n);
    }
    return text;
}

/// What it might have been stored as instead, in the same kind of file.
std::string supported_types(std::uint32_t instead_of) {
    if (instead_of >= formats::kFirstOwnType) {
        return "BF16, F16, F32";
    }
    std::string names;
    for (std::uint32_t id = 0; id < 64; ++id) {
        if (kernels::traits_of_ggml(id)) {
            names += (names.empty() ? "" : ", ") + std::string(formats::ggml_type_name(id));
        }
    }
    return names;
}

constexpr std::int64_t kPieceBytes = 1 << 20;

std::size_t packed_bytes_of(const Matrix& m) {
    return static_cast<std::size_t>(m.n_groups()) * kernels::packed_group_bytes(m.type, m.n_cols);
}

} // namespace

const formats::StoredTensor* WeightLoader::find(const std::string& name,
                                                const std::vector<std::int64_t>& shape) {
    if (failed_) {
        return nullptr;
    }
    const auto fail = [&](ErrorCode code, std::string message) {
        failed_ = true;
        error_ = Error{code, std::move(message)};
        return nullptr;
    };
    const std::string stored = stored_as_(name).name;
    const formats::StoredTensor* tensor = file_.find_tensor(stored);
    if (!tensor) {
        return fail(ErrorCode::bad_file,
                    "tensor '" + (stored.empty() ? name : stored) + "' is missing");
    }
    std::vector<std::int64_t> found = tensor->shape;
    while (found.size() > shape.size() && found.back() == 1) {
        found.pop_back();
    }
    if (found != shape) {
        return fail(ErrorCode::bad_file, "tensor '" + stored + "' is " + shape_text(tensor->shape) +
                                             ", the model's keys ask for " + shape_text(shape));
    }
    const kernels::WeightTraits* traits = kernels::traits_of_ggml(tensor->ggml_type);
    if (!traits) {
        return fail(ErrorCode::unsupported,
                    "tensor '" + stored + "' is stored as " +
                        formats::ggml_type_name(tensor->ggml_type) +
                        ", which is not supported: " + supported_types(tensor->ggml_type) + " are");
    }
    return tensor;
}

void WeightLoader::matrix(const std::string& name, std::int64_t n_rows, std::int64_t n_cols,
                          Matrix& to) {
    if (const formats::StoredTensor* tensor = find(name, {n_cols, n_rows})) {
        to.type = kernels::traits_of_ggml(tensor->ggml_type)->type;
        to.n_rows = n_rows;
        to.n_cols = n_cols;
        jobs_.push_back({tensor, stored_as_(name), &to, nullptr});
    }
}

void WeightLoader::vector(const std::string& name, std::int64_t n, Vector& to) {
    if (const formats::StoredTensor* tensor = find(name, {n})) {
        jobs_.push_back({tensor, stored_as_(name), nullptr, &to});
    }
}

std::vector<std::string> WeightLoader::unused() const {
    std::set<const formats::StoredTensor*> used;
    for (const Job& job : jobs_) {
        used.insert(job.tensor);
    }
    std::vector<std::string> names;
    for (const formats::StoredTensor& tensor : file_.tensors()) {
        if (!used.contains(&tensor)) {
            names.push_back(tensor.name);
        }
    }
    return names;
}

std::int64_t WeightLoader::packed_bytes() const {
    std::int64_t n = 0;
    for (const Job& job : jobs_) {
        n += job.matrix ? static_cast<std::int64_t>(packed_bytes_of(*job.matrix)) : 0;
    }
    return n;
}

Result<void> WeightLoader::allocate(AlignedBuffer& memory) {
    const std::int64_t need = packed_bytes();
    const std::int64_t have = available_memory_bytes();
    if (have > 0 && need > have) {
        return Error{ErrorCode::no_memory, "the weights need " + std::to_string(need >> 20) +
                                               " MiB of memory, " + std::to_string(have >> 20) +
                                               " MiB are free"};
    }
    auto buffer = AlignedBuffer::allocate(static_cast<std::size_t>(need));
    if (!buffer) {
        return std::move(buffer).error();
    }
    memory = *std::move(buffer);
    std::size_t at = 0;
    for (const Job& job : jobs_) {
        if (job.matrix) {
            const std::size_t n = packed_bytes_of(*job.matrix);
            job.matrix->packed = {memory.data() + at, n};
            at += n;
        }
    }
    return {};
}

std::vector<WeightLoader::Piece> WeightLoader::cut_pieces() const {
    std::vector<Piece> pieces;
    for (const Job& job : jobs_) {
        if (!job.matrix) {
            pieces.push_back({&job, 0, 0});
            continue;
        }
        const auto group_bytes = static_cast<std::int64_t>(
            kernels::source_row_bytes(job.matrix->type, job.matrix->n_cols) * kernels::kGroupRows);
        const std::int64_t step = std::max<std::int64_t>(1, kPieceBytes / group_bytes);
        for (std::int64_t g = 0; g < job.matrix->n_groups(); g += step) {
            pieces.push_back({&job, g, std::min(g + step, job.matrix->n_groups())});
        }
    }
    return pieces;
}

Result<std::int64_t> WeightLoader::load_vector(const Job& job) const {
    const kernels::WeightTraits& traits = *kernels::traits_of_ggml(job.tensor->ggml_type);
    const std::int64_t n = job.tensor->shape[0];
    std::vector<std::byte> source(job.tensor->n_bytes);
    if (auto read = file_.read_tensor(*job.tensor, 0, source); !read) {
        return std::move(read).error();
    }
    job.vector->resize(static_cast<std::size_t>(n));
    kernels::dequantize_row(traits.type, source.data(), n, job.vector->data());
    for (float& x : *job.vector) {
        x += job.stored.less_one ? 1.0f : 0.0f;
    }
    return static_cast<std::int64_t>(source.size());
}

namespace {

/// Row `row` of heads in pairs (2i, 2i+1), where the source has halves (i, i + head_dim/2).
std::int64_t row_in_halves(std::int64_t row, int head_dim) {
    const std::int64_t in_head = row % head_dim;
    return row - in_head + in_head / 2 + in_head % 2 * (head_dim / 2);
}

} // namespace

Result<void> WeightLoader::read_rows(const Job& job, std::int64_t begin, std::int64_t end,
                                     std::span<std::byte> to) const {
    const std::size_t row_bytes = to.size() / static_cast<std::size_t>(end - begin);
    const int head_dim = job.stored.head_dim_in_halves;
    if (head_dim == 0) {
        return file_.read_tensor(*job.tensor, static_cast<std::uint64_t>(begin) * row_bytes, to);
    }
    for (std::int64_t row = begin; row < end; ++row) {
        const auto from = static_cast<std::uint64_t>(row_in_halves(row, head_dim));
        const auto at = static_cast<std::size_t>(row - begin) * row_bytes;
        if (auto read = file_.read_tensor(*job.tensor, from * row_bytes, to.subspan(at, row_bytes));
            !read) {
            return read;
        }
    }
    return {};
}

Result<std::int64_t> WeightLoader::load_piece(const Piece& piece) const {
    if (piece.job->vector) {
        return load_vector(*piece.job);
    }
    Matrix& m = *piece.job->matrix;
    const std::size_t row_bytes = kernels::source_row_bytes(m.type, m.n_cols);
    const std::size_t group_bytes = kernels::packed_group_bytes(m.type, m.n_cols);
    const std::int64_t row_begin = piece.group_begin * kernels::kGroupRows;
    const std::int64_t row_end = std::min(piece.group_end * kernels::kGroupRows, m.n_rows);
    std::vector<std::byte> source(static_cast<std::size_t>(row_end - row_begin) * row_bytes);
    if (auto read = read_rows(*piece.job, row_begin, row_end, source); !read) {
        return std::move(read).error();
    }
    for (std::int64_t g = piece.group_begin; g < piece.group_end; ++g) {
        const std::int64_t first = g * kernels::kGroupRows;
        const auto n_rows =
            static_cast<int>(std::min<std::int64_t>(kernels::kGroupRows, m.n_rows - first));
        kernels::pack_group(
            m.type, source.data() + static_cast<std::size_t>(first - row_begin) * row_bytes, n_rows,
            m.n_cols, m.packed.data() + static_cast<std::size_t>(g) * group_bytes);
    }
    return static_cast<std::int64_t>(source.size());
}

namespace {

/// What the loading threads share.
struct LoadState {
    std::atomic<std::size_t> next{0};
    std::atomic<std::int64_t> done_bytes{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::optional<Error> error; // guarded by mutex

    void fail(Error e) {
        const std::lock_guard lock(mutex);
        if (!error) {
            error = std::move(e);
        }
        stop = true;
    }
};

} // namespace

Result<void> WeightLoader::load(const LoadControl& control, AlignedBuffer& memory) {
    if (failed_) {
        return error_;
    }
    if (auto allocated = allocate(memory); !allocated) {
        return allocated;
    }
    const std::vector<Piece> pieces = cut_pieces();
    std::int64_t total = 0;
    for (const Job& job : jobs_) {
        total += static_cast<std::int64_t>(job.tensor->n_bytes);
    }
    LoadState state;
    const auto work = [&](bool reports) {
        const kernels::DefaultFpEnv default_env;
        auto last = std::chrono::steady_clock::now();
        for (std::size_t i; !state.stop && (i = state.next++) < pieces.size();) {
            if (control.cancelled && control.cancelled()) {
                state.fail({ErrorCode::cancelled, "loading was cancelled"});
                return;
            }
            auto bytes = load_piece(pieces[i]);
            if (!bytes) {
                state.fail(std::move(bytes).error());
                return;
            }
            state.done_bytes += *bytes;
            const auto now = std::chrono::steady_clock::now();
            if (reports && control.on_progress && now - last > std::chrono::milliseconds(10)) {
                last = now;
                control.on_progress(state.done_bytes, total);
            }
        }
    };
    const int n_helpers = std::max(0, control.n_threads - 1);
    if (n_helpers == 0) {
        work(true);
    } else {
        tbb::task_arena arena(n_helpers + 1);
        arena.execute([&] {
            tbb::task_group group;
            for (int i = 0; i < n_helpers; ++i) {
                group.run([&] { work(false); });
            }
            work(true);
            group.wait();
        });
    }
    if (state.error) {
        return *state.error;
    }
    if (control.on_progress) {
        control.on_progress(total, total);
    }
    return {};
}

} // namespace sotto::model
