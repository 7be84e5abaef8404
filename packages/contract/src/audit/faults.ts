/** What can be wrong with an entry: its content, a missing entry before it, or one where none was sealed. */
export const AUDIT_FAULTS = ['changed', 'removed', 'added'] as const

export type AuditFault = (typeof AUDIT_FAULTS)[number]
