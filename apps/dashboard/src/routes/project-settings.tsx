import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'

export function ProjectSettingsRoute() {
  return (
    <PlannedScreen title="Project settings" text="This page will hold the name, branding and endpoints of a project." />
  )
}
