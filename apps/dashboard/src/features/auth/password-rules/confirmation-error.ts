import { t } from '@lingui/core/macro'

import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'

/** Returns what is wrong with the repetition of a new password, which never leaves the form. */
export function confirmationError(values: { password: string; confirmation: string }): string | undefined {
  if (values.confirmation === '') return t(SPEC_TEXTS.confirmRequired)
  return values.confirmation === values.password ? undefined : t(SPEC_TEXTS.confirmDiffers)
}
