/** Rows of a page that an operator may choose, and how many there are by itself. */
export const PAGE_SIZES = [25, 50, 100, 200] as const
export const PAGE_SIZE = 50

/** Returns the page size an address asks for. */
export function pageSizeOf(text: string | undefined): number {
  return PAGE_SIZES.find((size) => String(size) === text) ?? PAGE_SIZE
}
