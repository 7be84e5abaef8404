import * as z from 'zod/mini'

import { id, ts } from '../kit/codecs.ts'
import { oneOf, text } from '../kit/fields.ts'

/** The screens whose views can be shared. */
export const SHARED_SCREENS = ['payments'] as const

/** Of one screen a project can have so many. */
export const MOST_SHARED_VIEWS = 50

/** What fits on a tab. */
export const LONGEST_VIEW_NAME = 40

/** Longer than any address that a browser takes. */
const LONGEST_VALUE = 2000
const MOST_VALUES = 40
/** All of them together: everybody who opens the list reads every view of it. */
const LONGEST_SEARCH = 8000
const MOST_COLUMNS = 60

const name = text('Name', { max: LONGEST_VIEW_NAME })
const key = z.string().check(z.regex(/^[A-Za-z]{1,40}$/, { error: 'A filter has a name of letters' }))

/** What a list is narrowed to and how it is sorted, as the address of its screen says it. */
const search = z.record(key, z.string().check(z.maxLength(LONGEST_VALUE, { error: 'A filter is too long' }))).check(
  z.refine((values) => Object.keys(values).length <= MOST_VALUES, { error: 'The view holds too many filters' }),
  z.refine((values) => Object.values(values).join('').length <= LONGEST_SEARCH, {
    error: 'The filters of the view are too long together',
  }),
)

const layout = z.object({
  columns: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(MOST_COLUMNS))),
  density: z.optional(z.enum(['comfortable', 'compact'])),
})

/** A way to look at a list, for everybody who may read it. */
export const SharedView = z.object({
  id,
  externalPlatformID: id,
  screen: z.enum(SHARED_SCREENS),
  name: z.string(),
  search,
  layout,
  /** Who shared it; null once that member was deleted. */
  sharedBy: z.nullable(z.object({ memberID: id, email: z.string() })),
  /** The caller may change and delete it. */
  mayChange: z.boolean(),
  updatedAt: ts,
})

export type SharedView = z.output<typeof SharedView>

export const NewSharedView = z.object({ screen: oneOf('Screen', SHARED_SCREENS), name, search, layout })

export type NewSharedView = z.output<typeof NewSharedView>

/** Absent keeps. */
export const ChangeSharedView = z.object({
  name: z.optional(name),
  search: z.optional(search),
  layout: z.optional(layout),
})

export type ChangeSharedView = z.output<typeof ChangeSharedView>
