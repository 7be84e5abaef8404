import { useState } from 'react'

import { reloadIfReachable } from './server-reachable.ts'

/** Reloads the page at a press. Where the server does not answer the page stays: the browser's own error would replace it. */
export function useReload() {
  const [isAsking, setAsking] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const reload = async () => {
    setAsking(true)
    setRefused(false)
    setRefused(!(await reloadIfReachable()))
    setAsking(false)
  }
  return { reload: () => void reload(), isAsking, isRefused }
}
