/** What the palette may offer to this reader, now. */
export type PaletteScope = {
  isAdmin: boolean
  /** Whether threats can be searched at no call. */
  hasWindow: boolean
  categories: readonly string[]
}
