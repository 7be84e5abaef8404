import { NewAddressList } from '@kassa/contract/wallets/schemas.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { SubmitEvent } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { useAddAddresses, useAddDepositWallet, useLinkWallet } from '../../../api/wallets.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { FileField } from '../../../ui/fields/FileField.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { SOLANA } from '../account/families.ts'
import { ProjectChoice } from '../linking/ProjectChoice.tsx'
import { projectsFor } from '../linking/project-wallets.ts'

const FORM = 'add-list'

export type AddListDialogProps = {
  /** Those of the family, to tell which projects have one. */
  readonly wallets: readonly Wallet[]
  /** Gets more addresses; absent: a new wallet is added. */
  readonly wallet: Wallet | undefined
  readonly onClose: () => void
}

/** Adds a list of addresses that the signer made: as a new deposit wallet, or to one that runs out of them. */
export function AddListDialog({ wallets, wallet, onClose }: AddListDialogProps) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  const [addWallet, addAddresses, link] = [useAddDepositWallet(), useAddAddresses(), useLinkWallet()]
  const options = projectsFor(projects, wallets).filter(
    ({ id, walletId }) => walletId === undefined && can('wallet:link', id),
  )
  const [picked, setPicked] = useState<ReadonlySet<number>>()
  const chosen = picked ?? new Set(options.map(({ id }) => id))
  const [name, setName] = useState('Solana')
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<{ readonly field: 'name' | 'file' | 'form'; readonly text: string }>()
  const [sending, setSending] = useState(false)
  // A second press after a failure in between goes on where the first one ended.
  const added = useRef<{ readonly list: string; readonly wallet: Wallet }>(undefined)

  const add = async (list: NewAddressList): Promise<void> => {
    if (wallet !== undefined) {
      await addAddresses({ walletId: wallet.id, list })
      return
    }
    const [projectID] = chosen
    const body = { name: name.trim(), xpubs: [], lists: [list], ...(projectID === undefined ? {} : { projectID }) }
    const text = JSON.stringify(list)
    const before = added.current?.list === text ? added.current.wallet : undefined
    const made = before ?? (await addWallet(body))
    added.current = { list: text, wallet: made }
    for (const projectId of [...chosen].filter((id) => before !== undefined || id !== projectID)) {
      await link({ projectId, walletId: made.id, family: SOLANA })
    }
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending) return
    setProblem(undefined)
    if (wallet === undefined && name.trim() === '') return setProblem({ field: 'name', text: t`Name is required` })
    const list = await readList(file)
    if (list === null)
      return setProblem({
        field: 'file',
        text: t`This is not an address list from the signer. Choose solana-addresses.json.`,
      })
    setSending(true)
    try {
      await add(list)
      toast.success(plural(list.addresses.length, { 1: '# address added', other: '# addresses added' }))
      onClose()
    } catch (thrown) {
      const { fields, text } = formFailure(thrown, ['addresses', 'name'])
      const inFile = fields?.['addresses']
      setProblem(inFile === undefined ? { field: 'form', text: text ?? '' } : { field: 'file', text: inFile })
    } finally {
      setSending(false)
    }
  }

  return (
    <Dialog
      title={wallet === undefined ? t`Add address list` : t`Add addresses to “${wallet.name}”`}
      locked={sending}
      onClose={onClose}
      foot={
        <>
          <Button disabled={sending} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" form={FORM} loading={sending}>
            <Trans>Add addresses</Trans>
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {problem?.field === 'form' && <Banner tone="danger">{problem.text}</Banner>}
        <p className="text-body text-muted">
          <Trans>
            Solana cannot derive addresses from a public key. Open the signer on an offline computer, make a list of up
            to 1,000 addresses from your recovery phrase, and choose the file here. It contains no secrets.
          </Trans>
        </p>
        {wallet !== undefined && (
          <p className="text-body text-muted">
            <Trans>
              On mainnet new customers get these addresses after 24 hours, and every root gets an e-mail. Add them
              before the others run out.
            </Trans>
          </p>
        )}
        {wallet === undefined && (
          <TextField
            label={t`Name`}
            name="name"
            value={name}
            error={problem?.field === 'name' ? problem.text : undefined}
            onChange={setName}
          />
        )}
        <FileField
          label={t`Address list`}
          accept="application/json,.json"
          hint={t`solana-addresses.json from the signer`}
          error={problem?.field === 'file' ? problem.text : undefined}
          file={file}
          onFile={setFile}
        />
        {wallet === undefined && options.length > 0 && (
          <ProjectChoice options={options} chosen={chosen} onChange={setPicked} />
        )}
      </form>
    </Dialog>
  )
}

/** Null for a file that is none of the signer's. */
async function readList(file: File | undefined): Promise<NewAddressList | null> {
  if (file === undefined) return null
  try {
    const read = NewAddressList.safeParse(JSON.parse(await file.text()))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
