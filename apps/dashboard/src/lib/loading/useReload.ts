import { useState } from 'react'

import { reloadIfReachable } from './server-reachable.ts'

/** Loads the page anew at a press. Where nobody answers the page stays: the browser's own error would take its place. */
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
