// A step as a question: the step without what came of it. A picture of it can give nothing away.
#pragma once
#include "ops/trace.h"

namespace stridescope {

/// What is known before the operation is run: its text, the tensors it is given and the names there are by then. The
/// operations of the statement before it are kept whole; where one of them writes, what it wrote is not known.
/// @param before  the step before, or null
/// @param op      of `step`; null where the statement applies none
/// @post  the last of `applied` is the operation, with nothing come of it; there is none where `op` is null
Step question_of(const Step& step, const Step* before, const Applied* op);

}  // namespace stridescope
