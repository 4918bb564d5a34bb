// SPDX-License-Identifier: Apache-2.0
// The operations that forward passes of all architectures are put together from. Each function
// appends one to a plan; shapes are those of StepContext. What a model does not have (biases, norms
// of heads, rotation, a window) is left out as its weights and config say.
#pragma once

#include "engine/model/step_context.h"

namespace sotto::model::ops {

/// x = token_embd[token] * embd_scale; rope tables of every row.
void embed(StepContext& context, StepPlan& plan);
/// normed = rms_norm(x) * attn_norm; quantised for the products that follow.
void attn_norm(StepContext& context, StepPlan& plan, int layer);
/// q, k, v = attn_q, attn_k, attn_v times normed, plus their biases.
void qkv(StepContext& context, StepPlan& plan, int layer);
/// Norms each head of q and k, rotates it by the row's position; k and v go into the cache.
void rope_and_store(StepContext& context, StepPlan& plan, int layer);
/// attn = softmax(q k^T * attn_scale) v over the positions up to the row's own, within the layer's
/// window.
void attention(StepContext& context, StepPlan& plan, int layer);
/// Quantises attn for attn_output, if that takes int8.
void quantize_attn(StepContext& context, StepPlan& plan, int layer);
/// x += attn_output times attn.
void attn_output(StepContext& context, StepPlan& plan, int layer);
/// projected = attn_output times attn.
void attn_project(StepContext& context, StepPlan& plan, int layer);
/// x += rms_norm(projected) * post_attn_norm.
void post_attn_norm(StepContext& context, StepPlan& plan, int layer);
/// normed = rms_norm(x) * ffn_norm; quantised.
void ffn_norm(StepContext& context, StepPlan& plan, int layer);
/// gate = activation(ffn_gate times normed) * (ffn_up times normed).
void gate_up(StepContext& context, StepPlan& plan, int layer);
/// Quantises gate for ffn_down, if that takes int8.
void quantize_gate(StepContext& context, StepPlan& plan, int layer);
/// x += ffn_down times gate.
void ffn_down(StepContext& context, StepPlan& plan, int layer);
/// projected = ffn_down times gate.
void ffn_project(StepContext& context, StepPlan& plan, int layer);
/// x += rms_norm(projected) * post_ffn_norm.
void post_ffn_norm(StepContext& context, StepPlan& plan, int layer);
/// normed = rms_norm(x) * output_norm, for the rows that want logits alone; quantised.
void output_norm(StepContext& context, StepPlan& plan);
/// logits = output times normed, for those rows.
void output(StepContext& context, StepPlan& plan);

} // namespace sotto::model::ops
