import { type BusinessProfile, businessProfile, businessVerticals } from '@balcao/contract/channels/business.ts'
import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { portuguese } from '@balcao/contract/portuguese.ts'
import { Divider, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { profileOf, useChangeProfile } from '../../../features/channels/connections/business-api.ts'
import { HeaderFile } from '../../../features/conversations/templates/header-file.tsx'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { NumberSteps } from './number-steps.tsx'

type Props = { connection: Pick<Connection, 'id' | 'name'>; onClose: () => void }

/** What customers see of an official number, and how it stands at Meta. */
export const AccountDrawer = ({ connection, onClose }: Props) => {
  const stored = useQuery(profileOf(connection.id))
  const { pictureUrl, ...shown } = stored.data ?? { ...empty, pictureUrl: null }
  return (
    <ProfileForm
      key={stored.data ? 'read' : 'waiting'}
      connection={connection}
      onClose={onClose}
      stored={shown}
      pictureUrl={pictureUrl}
      state={stored.isPending ? 'loading' : stored.isError ? messageOf(stored.error) : 'ready'}
      onRetry={() => void stored.refetch()}
    />
  )
}
const empty: BusinessProfile = { about: '', address: '', description: '', email: '', websites: [], vertical: '' }

type FormProps = Props & {
  stored: BusinessProfile
  pictureUrl: string | null
  /** Or why it could not be read. */
  state: string
  onRetry: () => void
}
const ProfileForm = ({ connection, onClose, stored, pictureUrl, state, onRetry }: FormProps) => {
  const { id, name } = connection
  const [typed, setTyped] = useState(stored)
  const [picture, setPicture] = useState<Media | null>(null)
  const [isTried, setTried] = useState(false)
  const save = useChangeProfile(id)
  const given = { ...typed, websites: typed.websites.map((site) => site.trim()).filter(Boolean) }
  const parsed = businessProfile.safeParse(given, { error: portuguese })
  const found = parsed.error?.issues.map(({ path, message }) => [path.join('.'), message] as const) ?? []
  const refused = isApiError(save.error) ? save.error.problems.map(({ path, message }) => [path, message] as const) : []
  const problems = new Map(isTried ? [...found, ...refused] : [])
  const set = (part: Partial<BusinessProfile>) => setTyped((now) => ({ ...now, ...part }))
  const field = (key: Exclude<keyof BusinessProfile, 'websites'>) => ({
    value: typed[key],
    error: problems.get(key),
    onChange: (event: { currentTarget: { value: string } }) => set({ [key]: event.currentTarget.value }),
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!parsed.success) return
    save.mutate(
      { ...parsed.data, mediaId: picture?.id ?? null },
      {
        onSuccess: () => {
          notify.success(`${name}: perfil atualizado na Meta.`)
          onClose()
        },
      },
    )
  }
  const isReady = state === 'ready'
  return (
    <FormDrawer
      opened
      title={`Conta de ${name}`}
      onClose={onClose}
      onSubmit={handleSubmit}
      dirty={!save.isSuccess && (picture !== null || JSON.stringify(typed) !== JSON.stringify(stored))}
      busy={save.isPending}
      submitLabel="Salvar perfil"
      problems={isTried ? [...(save.error ? [messageOf(save.error)] : []), ...problems.values()] : []}
      readOnly={!isReady}
    >
      {state === 'loading' && <SkeletonList rows={4} height={56} />}
      {!isReady && state !== 'loading' && <ErrorState message={state} onRetry={onRetry} />}
      {isReady && (
        <>
          <Text size="sm" c="dimmed">
            O que o cliente vê ao tocar no nome da empresa. Muda na hora no WhatsApp.
          </Text>
          {pictureUrl && <img src={pictureUrl} alt="Foto atual do perfil" width={72} height={72} />}
          <HeaderFile kind="image" label="Foto do perfil" media={picture} onChange={setPicture} />
          <TextInput label="Recado" maxLength={139} {...field('about')} />
          <Textarea label="Descrição" autosize minRows={2} maxLength={512} {...field('description')} />
          <Select
            label="Categoria"
            data={Object.entries(businessVerticals).map(([value, label]) => ({ value, label }))}
            value={typed.vertical || null}
            onChange={(vertical) => set({ vertical: vertical ?? '' })}
            searchable
          />
          <TextInput label="Endereço" maxLength={256} {...field('address')} />
          <TextInput label="E-mail" maxLength={128} {...field('email')} />
          {[0, 1].map((at) => (
            <TextInput
              key={at}
              label={at === 0 ? 'Site' : 'Outro site'}
              placeholder="https://"
              maxLength={256}
              value={typed.websites[at] ?? ''}
              error={problems.get(`websites.${at}`)}
              onChange={(event) =>
                set({ websites: [0, 1].map((n) => (n === at ? event.currentTarget.value : (typed.websites[n] ?? ''))) })
              }
            />
          ))}
        </>
      )}
      <Divider label="Número" labelPosition="left" mt="xs" />
      <NumberSteps connectionId={id} />
    </FormDrawer>
  )
}
