import { useQuery } from '@tanstack/react-query'

import { meQuery } from '../../../api/me.ts'
import { useStored, writeStored } from '../../../lib/device/stored.ts'
import type { Layout, OwnView, View } from './payment-views.ts'
import { useSharedViews } from './useSharedViews.ts'

/** The layout of everybody's views; an own view has one under its id while it differs from what was saved. */
const COMMON = 'all'

/** What one operator keeps on this device about the list of payments. */
type StoredViews = { readonly views: readonly OwnView[]; readonly layouts: Readonly<Record<string, Layout>> }

export type SavedViews = {
  /** Those of this device, then those that are shared in the project. */
  readonly views: readonly OwnView[]
  readonly layoutOf: (view: View) => Layout
  readonly setLayout: (view: View, layout: Layout) => void
  /** Keeps a view, in place of the one with its id if there is one. */
  readonly save: (view: OwnView) => void
  /** Gives a view another name; what was changed since it was saved stays changed. */
  readonly rename: (id: string, name: string) => void
  /** Forgets a view of this device, and how its table was changed here. */
  readonly remove: (id: string) => void
}

/** Returns the operator's own views and table layouts on this device, and the views of the project. */
export function useSavedViews(): SavedViews {
  const { data: me } = useQuery(meQuery)
  const name = `payments:${me?.id ?? ''}`
  const stored = read(useStored(name))
  const shared = useSharedViews()
  const write = (next: StoredViews) => writeStored(name, JSON.stringify(next))
  const idOf = (view: View) => (view.layout === undefined ? COMMON : view.id)
  return {
    views: [...stored.views, ...shared],
    layoutOf: (view) => stored.layouts[idOf(view)] ?? view.layout ?? {},
    setLayout: (view, layout) => write({ ...stored, layouts: { ...stored.layouts, [idOf(view)]: layout } }),
    save: (view) => {
      const isKnown = stored.views.some(({ id }) => id === view.id)
      const views = isKnown ? stored.views.map((one) => (one.id === view.id ? view : one)) : [...stored.views, view]
      write({ views, layouts: omit(stored.layouts, view.id) })
    },
    rename: (id, name) =>
      write({ ...stored, views: stored.views.map((one) => (one.id === id ? { ...one, name } : one)) }),
    remove: (id) => write({ views: stored.views.filter((one) => one.id !== id), layouts: omit(stored.layouts, id) }),
  }
}

function omit(layouts: StoredViews['layouts'], id: string): StoredViews['layouts'] {
  return Object.fromEntries(Object.entries(layouts).filter(([name]) => name !== id))
}

/** Only this page writes it; a broken value counts as nothing stored. */
function read(text: string | undefined): StoredViews {
  const nothing = { views: [], layouts: {} }
  try {
    return { ...nothing, ...(JSON.parse(text ?? '{}') as Partial<StoredViews>) }
  } catch {
    return nothing
  }
}
