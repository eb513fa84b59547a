import type { Contact, ContactWrite } from '@balcao/contract/contacts/contacts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { notify } from '../../../ui/notify.ts'
import { contactFieldsQuery } from '../../contacts/contacts/fields-api.ts'
import { showPhone } from '../../contacts/contacts/phone.ts'
import { contactQuery, saveContact, saveContactTags, saveContactWallets } from '../../contacts/contacts/queries.ts'
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
  const keep = async (work: Promise<Contact>) => {
    try {
      cache.setQueryData(contactQuery(contact.id).queryKey, await work)
    } catch (error) {
      notify.error((isApiError(error) && error.problems[0]?.message) || messageOf(error))
      void cache.invalidateQueries({ queryKey: contactQuery(contact.id).queryKey })
    }
  }
  return { keep, save: (change: Partial<ContactWrite>) => keep(saveContact(contact, change)) }
}

/** Who this is: how they are reached and what they are to us. */
export const ContactPart = ({ contact }: { contact: Contact }) => {
  const canWrite = useCan('contacts.write')
  const { keep, save } = useSaving(contact)
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
        <Field label="Telefone">
          <span className={classes.withCopy}>
            <EditableText
              label="Telefone"
              value={contact.number ? showPhone(contact.number) : ''}
              placeholder="Adicionar telefone"
              readOnly={!canWrite || contact.isGroup}
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
        placeholder="Observações sobre o contato"
        multiline
        readOnly={!canWrite}
        maxLength={4_000}
        onSave={(notes) => save({ notes })}
      />
    </section>
  )
}

/** What else the company knows of them. */
export const MoreFields = ({ contact }: { contact: Contact }) => {
  const canWrite = useCan('contacts.write')
  const { keep, save } = useSaving(contact)
  const definitions = useQuery(contactFieldsQuery).data ?? []
  const saveValue = (name: string, value: string) => save({ extraInfo: withValue(contact.extraInfo, name, value) })
  const loose = contact.extraInfo.filter((one) => !definitions.some((field) => field.key === one.name))
  return (
    <Section name="campos" title="Mais campos">
      <dl className={classes.fields}>
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
      </dl>
    </Section>
  )
}
