import { Roles } from '../features/roles/Roles.tsx'

export function RolesRoute() {
  return <Roles />
}
