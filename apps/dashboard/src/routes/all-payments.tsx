import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'

export function AllPaymentsRoute() {
  return <PlannedScreen title="All payments" text="This page will list every payment of this project with its state." />
}
