/** What is wrong with an entry: its content, an entry missing before it, or one that stands where none was sealed. */
export const AUDIT_FAULTS = ['changed', 'removed', 'added'] as const

export type AuditFault = (typeof AUDIT_FAULTS)[number]
