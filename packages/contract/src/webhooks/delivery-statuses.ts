/** What can become of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'received', 'failed', 'discarded', 'waiting_for_approval'] as const
