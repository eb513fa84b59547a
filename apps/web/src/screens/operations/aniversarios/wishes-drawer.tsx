import { channels } from '@balcao/contract/channels/index.ts'
import { type Greeter, usualGreeting, usualHour } from '@balcao/contract/operations/birthdays.ts'
import { unknownVariables } from '@balcao/contract/variables.ts'
import { Button, Drawer, Stack, Switch, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { TemplateField } from '../../../features/conversations/templates/template-field.tsx'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { birthdaysKey } from '../../../features/operations/birthdays/live.ts'
import { messageOf, reasonOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { greeters, saveWish } from './birthdays-api.ts'
import classes from './wishes-drawer.module.css'

/** How each channel congratulates: every day by itself or not, at what hour and with which words. */
export const WishesDrawer = ({ onClose }: { onClose: () => void }) => {
  const list = useQuery({ ...greeters, staleTime: 0 })
  const [openId, setOpen] = useState<string | null>(null)
  const mayWrite = useCan('connections.write')
  const able = list.data?.filter(({ canByItself }) => canByItself) ?? []
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={460}
      title={<Text fw={600}>Parabéns por canal</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {list.isPending ? (
        <SkeletonList rows={3} height={60} />
      ) : list.isError ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : able.length === 0 ? (
        <Stack gap="sm">
          <Text size="sm">
            Nenhum canal envia parabéns por conta própria. Conecte um WhatsApp ou outro canal que escreva primeiro.
          </Text>
          {mayWrite && <GoTo to="/sessoes" label="Ver canais" />}
        </Stack>
      ) : (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {mayWrite
              ? 'Todo dia, na hora de cada canal, os aniversariantes recebem a mensagem dele.'
              : 'Quem administra os canais escolhe a hora e a mensagem.'}
          </Text>
          <ul className={classes.list}>
            {able.map((one) => (
              <li key={one.id} className={classes.item}>
                <UnstyledButton
                  className={classes.head}
                  disabled={!mayWrite}
                  aria-expanded={openId === one.id}
                  onClick={() => setOpen(openId === one.id ? null : one.id)}
                >
                  <span className={classes.words}>
                    <strong>{one.name}</strong>
                    <span className={classes.meta}>{channels[one.kind].label}</span>
                  </span>
                  <StatusDot
                    tone={one.isOn ? 'good' : 'quiet'}
                    label={one.isOn ? `Todo dia às ${one.hour}` : 'Desligado'}
                  />
                </UnstyledButton>
                {openId === one.id && <WishForm greeter={one} onSaved={() => setOpen(null)} />}
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </Drawer>
  )
}

const WishForm = ({ greeter, onSaved }: { greeter: Greeter; onSaved: () => void }) => {
  const cache = useQueryClient()
  const [isOn, setOn] = useState(greeter.isOn)
  const [hour, setHour] = useState(greeter.hour)
  const [message, setMessage] = useState(greeter.message)
  const [media, setMedia] = useState(greeter.media)
  const [template, setTemplate] = useState(greeter.template)
  const [unknown] = unknownVariables(message)
  const save = useMutation({
    mutationFn: () =>
      saveWish(greeter.id, {
        birthday: isOn || undefined,
        birthdayHour: hour === usualHour ? undefined : hour,
        birthdayMessage: message.trim() === usualGreeting ? undefined : message.trim() || undefined,
        birthdayMediaId: media?.id,
        birthdayTemplate: template ?? undefined,
      }),
    onSuccess: () => {
      notify.success('Parabéns deste canal salvos.')
      void cache.invalidateQueries({ queryKey: birthdaysKey })
      void cache.invalidateQueries({ queryKey: connectionList.queryKey })
      onSaved()
    },
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Switch
        label="Parabenizar todo dia"
        description="Cada contato uma vez por ano; quem não quer receber campanhas fica de fora."
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      <TextInput
        type="time"
        label="Hora"
        description="No fuso da empresa. Ligado depois desta hora, os de hoje recebem em seguida."
        required
        value={hour}
        onChange={(event) => setHour(event.currentTarget.value)}
      />
      <VariableTextarea
        label="Mensagem"
        minRows={3}
        maxLength={1_000}
        value={message}
        onChange={setMessage}
        error={unknown ? `A variável {{${unknown}}} não existe.` : undefined}
      />
      <MediaField
        label="Imagem"
        chooseLabel="Escolher imagem"
        accept="image/*"
        media={media}
        value={media?.id ?? null}
        onMedia={setMedia}
      />
      {greeter.needsTemplate && (
        <TemplateField
          connectionId={greeter.id}
          without="Sem modelo, ficam sem parabéns."
          picture={{
            isThere: media !== null,
            missing: 'Este modelo leva uma imagem: escolha a imagem dos parabéns deste canal.',
          }}
          value={template}
          onChange={setTemplate}
        />
      )}
      {save.isError && (
        <Text size="sm" c="red" role="alert">
          {reasonOf(save.error)}
        </Text>
      )}
      <Button type="submit" loading={save.isPending} disabled={!hour || unknown !== undefined}>
        Salvar
      </Button>
    </form>
  )
}
