import { i18n } from '@lingui/core'
import { TransNoContext } from '@lingui/react/server'
import type { TransProps } from '@lingui/react'

const lingui = { i18n }

/**
 * Draws a sentence of the catalogue with its parts.
 * @public the macro `Trans` becomes this one (texts-plugin.ts).
 */
export function Trans(props: TransProps) {
  return <TransNoContext {...props} lingui={lingui} />
}
