import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { type AnyPath, paths } from '../../lib/paths.ts'

/** What each screen that does not exist yet will hold. */
const PLANNED: readonly (readonly [AnyPath, MessageDescriptor])[] = []

/** Returns what a planned screen will hold. */
export function plannedText(pathname: string): string {
  const [, text = msg`This page has no content yet.`] = PLANNED.find(([path]) => path.matches(pathname)) ?? []
  return t(text)
}
