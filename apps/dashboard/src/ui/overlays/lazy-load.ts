import { t } from '@lingui/core/macro'
import { lazy } from 'react'
import type { ComponentType } from 'react'
import { isPrefetched } from '../../lib/loading/prefetch.ts'
import { loadCode } from '../../lib/loading/server-reachable.ts'
import { toast } from '../feedback/toast.ts'
import { LayerLoadFailed, PartLoadFailed } from './LoadFailed.tsx'

/** How often the server is asked whether it answers again. */
const LOOK_MS = 3_000

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

/**
 * Returns a part of a page whose code is loaded when it is first shown. While the server does not answer, the page stays as it
 * is, with all that was typed, and the part loads once it does; where it is missing for good it says so in place.
 */
export function lazyPart<Props extends object>(load: Load<Props>) {
  return lazy(() => patiently(load, PartLoadFailed))
}

/** The same for what opens over a page; `onClose` closes also what says that it is missing. */
export function lazyLayer<Props extends { readonly onClose: () => void }>(load: Load<Props>) {
  return lazy(() => patiently(load, LayerLoadFailed))
}

async function patiently<Props>(load: Load<Props>, missing: ComponentType<Props>): ReturnType<Load<Props>> {
  if (isPrefetched(load)) return load()
  let code = await loadCode(load)
  if (code === 'unanswered') toast.error(t`Kassa does not answer. This opens once it does.`)
  while (code === 'unanswered') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    code = await loadCode(load)
  }
  return code === 'missing' ? { default: missing } : code
}
