import { useEffect, useState } from 'react'

import { useSearchState } from './search.ts'

/**
 * Returns a secret that came in the address, and takes it out of the address bar at once: it stays in no history, no
 * screenshot and no `Referer`. Empty when the address holds none.
 */
export function useTokenOfAddress(name: string): string {
  const [search, change] = useSearchState()
  const [token] = useState(search[name] ?? '')
  useEffect(() => {
    if (search[name] !== undefined) change({ [name]: undefined }, { replace: true })
  })
  return token
}
