import * as z from 'zod/mini'

const ID_NAME = /^(?:ids?|\w+Ids?)$/

export function isIdName(name: string): boolean {
  return ID_NAME.test(name)
}

export type Field = { name: string; schema: z.core.$ZodType }

/** Every value that a schema reads, by the last schema that decides on it, with the name of the member that holds it. */
export function findFields(schema: z.core.$ZodType, name = ''): Field[] {
  const { def } = schema._zod
  const all = (parts: readonly z.core.$ZodType[]) => parts.flatMap((part) => findFields(part, name))
  if (schema instanceof z.ZodMiniObject) {
    return Object.entries(schema.shape).flatMap(([member, part]) => findFields(part, member))
  }
  if (schema instanceof z.ZodMiniArray) return findFields(schema.def.element, name)
  if (schema instanceof z.ZodMiniUnion) return all(schema.def.options)
  if (schema instanceof z.ZodMiniTuple) return all(schema.def.items)
  if (schema instanceof z.ZodMiniRecord) return all([schema.def.keyType, schema.def.valueType])
  if (schema instanceof z.ZodMiniPipe) {
    const { in: read, out } = schema.def
    return findFields(out instanceof z.ZodMiniTransform ? read : out, name)
  }
  if ('innerType' in def && def.innerType instanceof z.core.$ZodType) return findFields(def.innerType, name)
  return [{ name, schema }]
}
