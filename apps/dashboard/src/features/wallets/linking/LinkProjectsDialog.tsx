import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { SubmitEvent } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { useLinkWallet } from '../../../api/wallets.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { ProjectChoice } from './ProjectChoice.tsx'
import { projectsFor } from './project-wallets.ts'

const UnlinkWallet = lazyLayer(async () => ({ default: (await import('../managing/WalletRemoval.tsx')).UnlinkWallet }))

export type LinkProjectsDialogProps = {
  readonly wallet: Wallet
  readonly wallets: readonly Wallet[]
  readonly onClose: () => void
}

/** Chooses which projects give their customers addresses of this wallet. */
export function LinkProjectsDialog({ wallet, wallets, onClose }: LinkProjectsDialogProps) {
  const { name } = wallet
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  const link = useLinkWallet()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [failure, setFailure] = useState<string>()
  const [sending, setSending] = useState(false)
  const [unlinking, setUnlinking] = useState<{ readonly id: number; readonly name: string }>()
  const linked = projectsFor(projects, wallets).filter(
    ({ id, walletId }) => walletId === wallet.id && can('wallet:link', id),
  )
  const options = projectsFor(projects, wallets).filter(
    ({ id, walletId }) => walletId !== wallet.id && can('wallet:link', id),
  )

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending) return
    if (chosen.size === 0) return setFailure(t`Choose at least one project.`)
    setSending(true)
    setFailure(undefined)
    try {
      let waiting = 0
      for (const projectId of chosen) {
        if (!(await link({ projectId, walletId: wallet.id, family: wallet.family }))) waiting += 1
      }
      const done = chosen.size - waiting
      if (done > 0) toast.success(plural(done, { 1: 'Project linked', other: '# projects linked' }))
      if (waiting > 0) toast.success(t`It takes effect in 24 hours and can be withdrawn until then`)
      onClose()
    } catch (thrown) {
      setFailure(formFailure(thrown, []).text)
    } finally {
      setSending(false)
    }
  }

  const foot = (
    <>
      <Button onClick={onClose} disabled={sending}>
        <Trans>Cancel</Trans>
      </Button>
      {options.length > 0 && (
        <Button kind="primary" type="submit" form="link-projects" loading={sending}>
          <Trans>Link projects</Trans>
        </Button>
      )}
    </>
  )
  return (
    <Dialog title={t`Link projects to “${name}”`} locked={sending} onClose={onClose} foot={foot}>
      <form id="link-projects" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        {linked.length > 0 && <Linked projects={linked} onUnlink={setUnlinking} />}
        {options.length === 0 && (
          <p className="text-body text-muted">
            <Trans>Every project already uses this wallet.</Trans>
          </p>
        )}
        {options.length > 0 && (
          <>
            <ProjectChoice options={options} chosen={chosen} onChange={setChosen} />
            <ul className="list-disc ps-5 text-body text-muted">
              <li>
                <Trans>New customers of these projects get addresses of this wallet, from now on.</Trans>
              </li>
              <li>
                <Trans>
                  On mainnet, a wallet that replaces another takes effect after 24 hours, and every root gets an e-mail.
                </Trans>
              </li>
              <li>
                <Trans>Customers who have an address keep it, whichever wallet it came from.</Trans>
              </li>
            </ul>
          </>
        )}
      </form>
      <Suspense>
        {unlinking !== undefined && (
          <UnlinkWallet wallet={wallet} project={unlinking} onClose={() => setUnlinking(undefined)} />
        )}
      </Suspense>
    </Dialog>
  )
}

type Project = { readonly id: number; readonly name: string }

/** The projects that use the wallet now, each with the way out. */
function Linked({ projects, onUnlink }: { projects: readonly Project[]; onUnlink: (project: Project) => void }) {
  return (
    <ul aria-label={t`Linked projects`} className="flex flex-col gap-2">
      {projects.map((project) => (
        <li key={project.id} className="flex flex-wrap items-center justify-between gap-2 text-body">
          {project.name}
          <Button size="small" onClick={() => onUnlink(project)}>{t`Unlink ${project.name}`}</Button>
        </li>
      ))}
    </ul>
  )
}
