// Pieces that several reports are made of; their forms are described in report.h.
#pragma once
#include <string_view>

#include "explain/message.h"
#include "lang/diagnostic.h"
#include "ops/trace.h"
#include "render/json.h"

namespace stridescope {

/// "view", "copy", "same", "new", "write"; "" where no tensor came of it.
std::string_view mark_of(Relation relation);

void write(Json& json, const Tensor& tensor);
void write(Json& json, const Message& sentence, Language language);
void write(Json& json, const Diagnostic& diagnostic, Language language);

}  // namespace stridescope
