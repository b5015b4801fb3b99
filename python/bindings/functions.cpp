//===- functions.cpp - What host functions take ---------------------------===//

#include "program.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static std::string print(MlirType type) {
  std::string text;
  mlirTypePrint(type, append, &text);
  return text;
}

static Argument getArgument(MlirType type) {
  Argument argument;
  argument.type = print(type);
  argument.isArray = mlirTypeIsAMemRef(type);
  if (!argument.isArray) {
    argument.element = argument.type;
    return argument;
  }
  argument.element = print(mlirShapedTypeGetElementType(type));
  for (intptr_t dim = 0; dim < mlirShapedTypeGetRank(type); ++dim)
    argument.shape.push_back(mlirShapedTypeIsDynamicDim(type, dim)
                                 ? -1
                                 : mlirShapedTypeGetDimSize(type, dim));
  return argument;
}

static MlirAttribute getAttribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

static std::string getText(MlirAttribute attribute) {
  return mlirAttributeIsNull(attribute)
             ? ""
             : toPython(mlirStringAttrGetValue(attribute));
}

std::vector<Function> getFunctions(MlirModule module) {
  std::vector<Function> functions;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(op));
    if (!mlirStringRefEqual(kind, toC("func.func")) ||
        mlirBlockIsNull(
            mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))) ||
        getText(getAttribute(op, "sym_visibility")) == "private")
      continue;
    Function &function = functions.emplace_back();
    function.name = getText(getAttribute(op, "sym_name"));
    MlirType type = mlirTypeAttrGetValue(getAttribute(op, "function_type"));
    for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
      function.arguments.push_back(
          getArgument(mlirFunctionTypeGetInput(type, i)));
  }
  return functions;
}
