import { useState } from 'react'

import { reloadIfServed } from './served.ts'

/** Loads the page anew at a press. Where nobody answers the page stays: the browser's own error would take its place. */
export function useReload() {
  const [isAsking, setAsking] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const reload = async () => {
    setAsking(true)
    setRefused(false)
    setRefused(!(await reloadIfServed()))
    setAsking(false)
  }
  return { reload: () => void reload(), isAsking, isRefused }
}
