import { useSearchState } from '../../../lib/navigation/search.ts'
import type { Layout, LayoutPatch } from './payment-views.ts'
import { viewOf } from './payment-views.ts'
import { useSavedViews } from './useOwnViews.ts'

/** Returns how the table of the view in the address is drawn, and the way to change it. */
export function useLayout(): [Layout, (patch: LayoutPatch) => void] {
  const [search] = useSearchState()
  const own = useSavedViews()
  const view = viewOf(search, own.views)
  const layout = own.layoutOf(view)
  const change = (patch: LayoutPatch) => {
    const { columns, density } = { ...layout, ...patch }
    own.setLayout(view, { ...(columns && { columns }), ...(density && { density }) })
  }
  return [layout, change]
}
