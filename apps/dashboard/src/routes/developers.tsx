import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'

export function DevelopersRoute() {
  return <PlannedScreen title="Developers" text="This page will hold API keys and webhooks." />
}
