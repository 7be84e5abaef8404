import { SystemHealth } from '../features/system/SystemHealth.tsx'

export function SystemHealthRoute() {
  return <SystemHealth />
}
