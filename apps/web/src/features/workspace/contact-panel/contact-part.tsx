import type { Contact, ContactAddress, ContactWrite } from '@balcao/contract/contacts/contacts.ts'
import { type Lane, laneResource } from '@balcao/contract/contacts/lanes.ts'
import { showIdentity } from '@balcao/contract/identity.ts'
import { Button, Select, UnstyledButton } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { reasonOf } from '../../../kit/api-error.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { notify } from '../../../ui/notify.ts'
import { BlockNumber } from '../../contacts/contacts/block-number.tsx'
import { contactFieldsQuery } from '../../contacts/contacts/fields-api.ts'
import { showPhone } from '../../contacts/contacts/phone.ts'
import {
  contactQuery,
  revealDocument,
  saveContact,
  saveContactTags,
  saveContactWallets,
} from '../../contacts/contacts/queries.ts'
import { valueIn, withValue } from '../../contacts/contacts/values.ts'
import classes from './contact-panel.module.css'
import { EditableText } from './editable-text.tsx'
import { EditableValue } from './editable-value.tsx'
import { Copy, Field, None, Section } from './panel-section.tsx'
import { TagPicker } from './tag-picker.tsx'
import { WalletPicker } from './wallet-picker.tsx'

const birthday = { name: 'Aniversário', type: 'date', options: [] } as const

/** Every field is its own form: click, change, leave. */
const useSaving = (contact: Contact) => {
  const cache = useQueryClient()
  const keep = async (work: Promise<Contact>, onDone?: () => void) => {
    try {
      cache.setQueryData(contactQuery(contact.id).queryKey, await work)
      onDone?.()
      return true
    } catch (error) {
      notify.error(reasonOf(error))
      void cache.invalidateQueries({ queryKey: contactQuery(contact.id).queryKey })
      return false
    }
  }
  return { keep, save: (change: Partial<ContactWrite>) => keep(saveContact(contact, change)) }
}

/** Who this is: how they are reached and what they are to us. */
export const ContactPart = ({ contact, problems }: { contact: Contact; problems: readonly string[] }) => {
  const canWrite = useCan('contacts.write')
  const { keep, save } = useSaving(contact)
  const tellGivenBack = () =>
    notify.success('Fluxos e respostas automáticas voltam a falar com este contato.', {
      label: 'Desfazer',
      onClick: () => void save({ isBotBlocked: true }),
    })
  return (
    <section className={classes.contact} aria-label="Contato">
      <div className={classes.who}>
        <Avatar name={contact.name} src={contact.profilePicUrl} size={64} />
        <EditableText
          label="Nome"
          className={classes.name}
          value={contact.name}
          readOnly={!canWrite}
          maxLength={120}
          required
          wraps
          onSave={(name) => save({ name })}
        />
      </div>
      <dl className={classes.fields}>
        {!contact.isGroup && (
          <>
            <Field label="Telefone">
              <span className={classes.withCopy}>
                <EditableText
                  label="Telefone"
                  value={contact.number ? showPhone(contact.number) : ''}
                  placeholder="Adicionar telefone"
                  readOnly={!canWrite}
                  maxLength={40}
                  onSave={(number) => save({ number: number || null })}
                />
                {contact.number && <Copy text={`+${contact.number}`} label="Copiar telefone" />}
              </span>
            </Field>
            <Field label="E-mail">
              <EditableText
                label="E-mail"
                value={contact.email ?? ''}
                placeholder="Adicionar e-mail"
                readOnly={!canWrite}
                maxLength={254}
                onSave={(email) => save({ email: email || null })}
              />
            </Field>
          </>
        )}
        {problems.length > 0 && (
          <Field label="Não recebe">
            {problems.map((one) => (
              <span key={one} className={classes.problem}>
                {one}
              </span>
            ))}
          </Field>
        )}
        <LaneField contact={contact} readOnly={!canWrite} onSave={(kanban) => save({ kanban })} />
        {contact.isBotBlocked && (
          <Field label="Robôs">
            <LeftToPeople
              readOnly={!canWrite}
              onGiveBack={() => void keep(saveContact(contact, { isBotBlocked: false }), tellGivenBack)}
            />
          </Field>
        )}
        <Field label="Etiquetas">
          <TagPicker
            label="Etiquetas do contato"
            tags={contact.tags}
            readOnly={!canWrite}
            onChange={(ids) => void keep(saveContactTags(contact.id, ids))}
          />
        </Field>
      </dl>
      <EditableText
        label="Observações"
        className={classes.notes}
        value={contact.notes}
        placeholder={`Observações sobre o ${contact.isGroup ? 'grupo' : 'contato'}`}
        multiline
        readOnly={!canWrite}
        maxLength={4_000}
        onSave={(notes) => save({ notes })}
      />
    </section>
  )
}

type LaneProps = { contact: Contact; readOnly: boolean; onSave: (laneId: string | null) => void }
/** Where they are on the board; nothing where the company has no stages. */
const LaneField = ({ contact, readOnly, onSave }: LaneProps) => {
  const lanes = useQuery(allRows<Lane>(laneResource)).data ?? []
  const usable = lanes.filter(({ id, isActive }) => isActive || id === contact.kanban)
  if (lanes.length === 0) return null
  return (
    <Field label="Etapa">
      {readOnly ? (
        (lanes.find(({ id }) => id === contact.kanban)?.name ?? <None text="Sem etapa" />)
      ) : (
        <Select
          aria-label="Etapa"
          size="xs"
          variant="filled"
          data={usable.toSorted((a, b) => a.position - b.position).map(({ id, name }) => ({ value: id, label: name }))}
          value={contact.kanban}
          placeholder="Sem etapa"
          clearable
          onChange={onSave}
        />
      )}
    </Field>
  )
}

type LeftProps = { readOnly: boolean; onGiveBack: () => void }
/** No flow, assistant or automatic answer speaks to them, until somebody gives them back. */
const LeftToPeople = ({ readOnly, onGiveBack }: LeftProps) => (
  <div className={classes.leftToPeople}>
    <span>Não falam com este contato: só pessoas respondem.</span>
    {!readOnly && (
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconRobot size={15} stroke={1.75} aria-hidden />}
        onClick={onGiveBack}
      >
        Devolver aos robôs
      </Button>
    )}
  </div>
)

type DocumentProps = { contact: Contact; readOnly: boolean; onSave: (document: string | null) => Promise<boolean> }
const DocumentField = ({ contact, readOnly, onSave }: DocumentProps) => {
  const mayReveal = useCan('contacts.documents')
  const reveal = useMutation({ mutationFn: revealDocument, onError: (error) => notify.error(reasonOf(error)) })
  const whole = contact.document && reveal.data?.document
  return (
    <Field label="CPF ou CNPJ">
      <span className={classes.withCopy}>
        <EditableText
          label="CPF ou CNPJ"
          value={whole ? showIdentity(whole) : (contact.document?.masked ?? '')}
          placeholder="Não informado"
          readOnly={readOnly}
          maxLength={30}
          onSave={(text) => {
            reveal.reset()
            return onSave(text || null)
          }}
        />
        {contact.document && mayReveal && !whole && (
          <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={() => reveal.mutate(contact.id)}>
            Mostrar
          </UnstyledButton>
        )}
      </span>
    </Field>
  )
}

const addressLine = ({ street, number, complement, district, city, state, cep }: ContactAddress) =>
  [street, number, complement, district, city, state, cep.replace(/^(\d{5})/, '$1-')].filter(Boolean).join(', ')

/** What else the company knows of them. */
export const MoreFields = ({ contact }: { contact: Contact }) => {
  const canWrite = useCan('contacts.write')
  const mayBlock = useCan('blocked-numbers.write')
  const { keep, save } = useSaving(contact)
  const definitions = useQuery(contactFieldsQuery).data ?? []
  const saveValue = (name: string, value: string) => save({ extraInfo: withValue(contact.extraInfo, name, value) })
  const loose = contact.extraInfo.filter((one) => !definitions.some((field) => field.key === one.name))
  return (
    <Section name="campos" title="Mais campos">
      <dl className={classes.fields}>
        {!contact.isGroup && (
          <>
            <Field label="Empresa">
              <EditableText
                label="Empresa"
                value={contact.businessName}
                placeholder="Não informada"
                readOnly={!canWrite}
                maxLength={120}
                onSave={(businessName) => save({ businessName })}
              />
            </Field>
            <DocumentField contact={contact} readOnly={!canWrite} onSave={(document) => save({ document })} />
            {contact.address && <Field label="Endereço">{addressLine(contact.address)}</Field>}
          </>
        )}
        {!contact.isGroup && (
          <Field label="Aniversário">
            <EditableValue
              field={birthday}
              value={contact.birthdayDate ?? ''}
              readOnly={!canWrite}
              onSave={(birthdayDate) => save({ birthdayDate: birthdayDate || null })}
            />
          </Field>
        )}
        {definitions.map((field) => (
          <Field key={field.id} label={field.name}>
            <EditableValue
              field={field}
              value={valueIn(contact.extraInfo, field.key)}
              readOnly={!canWrite}
              onSave={(value) => saveValue(field.key, value)}
            />
          </Field>
        ))}
        {loose.map((extra) => (
          <Field key={extra.name} label={extra.name}>
            <EditableText
              label={extra.name}
              value={extra.value}
              placeholder="Não informado"
              readOnly={!canWrite}
              maxLength={500}
              onSave={(value) => saveValue(extra.name, value)}
            />
          </Field>
        ))}
        <Field label="Carteira">
          {canWrite ? (
            <WalletPicker owners={contact.wallets} onChange={(ids) => void keep(saveContactWallets(contact.id, ids))} />
          ) : (
            contact.wallets.map((owner) => owner.name).join(', ') || <None text="De ninguém" />
          )}
        </Field>
        {mayBlock && contact.number && (
          <Field label="Bloqueio">
            <BlockNumber number={contact.number} name={contact.name} />
          </Field>
        )}
      </dl>
    </Section>
  )
}
