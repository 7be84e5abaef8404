import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'

export function ProjectDashboardRoute() {
  return (
    <PlannedScreen
      title="Dashboard"
      text="This page will show whether money is coming in and whether anything needs a hand."
    />
  )
}
