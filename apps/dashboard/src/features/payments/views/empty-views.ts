import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** What is said of a view everybody has when nothing is in it, by its id. */
export const EMPTY_VIEWS: Readonly<Record<string, MessageDescriptor>> = {
  attention: msg`Nothing needs attention.`,
  waiting: msg`No open or confirming payments.`,
  'paid-today': msg`Nothing paid today yet.`,
  overpaid: msg`No overpaid payments.`,
  expired: msg`No expired payments.`,
  late: msg`No late payments.`,
}
