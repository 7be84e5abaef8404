import { t } from '@lingui/core/macro'
import { lazy } from 'react'
import type { ComponentType } from 'react'

import { isServed } from '../lib/served.ts'
import { toast } from './toast.ts'

/** How often is looked whether somebody answers again. */
const LOOK_MS = 3_000

/**
 * Returns a part whose code is loaded when it is first shown. While nobody answers for it the page stays as it is, with all
 * that was typed, and the part comes once somebody does; code that is missing on a server that answers is a fault.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
  return lazy(() => patiently(load))
}

async function patiently<Part>(load: () => Promise<Part>): Promise<Part> {
  // Browsers remember code that did not arrive as missing until the page is loaded anew: without a network it is not asked for.
  if (navigator.onLine) {
    try {
      return await load()
    } catch (cause) {
      if (await isServed()) throw cause
    }
  }
  toast.error(t`Kassa does not answer. This opens once it does.`)
  await answered()
  return load()
}

async function answered(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  while (!(await isServed()))
}
