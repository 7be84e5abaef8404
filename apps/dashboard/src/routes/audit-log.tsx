import { AuditLog } from '../features/audit/AuditLog.tsx'

export function AuditLogRoute() {
  return <AuditLog />
}
