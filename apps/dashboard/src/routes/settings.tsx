import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'

export function SettingsRoute() {
  return (
    <PlannedScreen
      title="Settings"
      text="This page will hold members and roles, security, mail, nodes and payout policy."
    />
  )
}
