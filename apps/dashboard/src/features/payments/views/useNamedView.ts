import { useLayoutEffect, useRef } from 'react'

import { useSearchState } from '../../../lib/navigation/search.ts'
import { normalized, viewOf } from './payment-views.ts'
import { useSavedViews } from './useOwnViews.ts'

/**
 * An address may name a view without saying what it holds, as one that was typed or sent: the list is narrowed to it. When
 * the last part of a view's filter is dropped, what is left is no longer that view. Returns whether the address still has to
 * change: what it shows now is neither.
 */
export function useNamedView(): boolean {
  const [search, setSearch] = useSearchState()
  const { views } = useSavedViews()
  const shown = useRef<string>(undefined)
  const { view: name } = search
  const view = viewOf(search, views)
  const isBare = view.id === name && isEmpty(normalized(search)) && !isEmpty(view.search)
  useLayoutEffect(() => {
    if (isBare && shown.current === name) setSearch({ view: undefined, cursor: undefined }, { replace: true })
    else if (isBare) setSearch(view.search, { replace: true })
    shown.current = name
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the address alone decides
  }, [isBare, name])
  return isBare
}

function isEmpty(held: object): boolean {
  return Object.keys(held).length === 0
}
