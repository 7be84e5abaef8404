import type { Selection } from '../list/useSelection.ts'

export const CELL = 'px-2.5 first:ps-4 last:pe-4 sm:first:ps-5 sm:last:pe-5'

/** A column that takes the width the others leave, and never less than this. */
export const GROWS = 'w-full min-w-36'

/** The column of boxes stays in view, and so does the first column beside it. */
export const PICK = 'sticky start-0 z-[1] w-12 bg-inherit ps-2 sm:ps-3'

/** The menus of the rows stay in view at the other end: what cannot be seen is not found. */
export const MENU = 'sticky end-0 z-[1] w-12 bg-inherit pe-1.5 text-end'

/** Where the other columns pass below it. */
const EDGE =
  'in-data-wide:after:absolute in-data-wide:after:inset-y-0 in-data-wide:after:end-0 in-data-wide:after:w-px in-data-wide:after:bg-border'

/** Returns how the first column looks, beside the boxes if there are any. */
export function frozen(selection: Selection | undefined): string {
  return `sticky z-[1] bg-inherit ${EDGE} ${selection === undefined ? 'start-0' : 'start-12'}`
}
