import { SettingsIndex } from '../features/project-settings/SettingsIndex.tsx'

export function SettingsRoute() {
  return <SettingsIndex />
}
