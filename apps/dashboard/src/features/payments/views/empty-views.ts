import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** What is said of a view everybody has when nothing is in it, by its id. */
export const EMPTY_VIEWS: Readonly<Record<string, MessageDescriptor>> = {
  attention: msg`Nothing needs attention.`,
  waiting: msg`No payment is awaited right now.`,
  'paid-today': msg`No payments today yet.`,
  overpaid: msg`No overpaid payments.`,
  expired: msg`No payment expired unpaid.`,
  late: msg`No late payments.`,
}
