import { CreateLink } from '../features/payments/CreateLink.tsx'
import { SandboxTools } from '../features/sandbox/SandboxTools.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function CreatePaymentLinkRoute() {
  const { id: projectId } = useCurrentProject()
  return <CreateLink projectId={projectId} tools={(payment) => <SandboxTools payment={payment} prominent={false} />} />
}
