import type { Provider } from '@balcao/contract/core/providers/define.ts'
import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { isFound } from '../../../kit/plain-text.ts'
import { ProviderGlyph } from '../../../ui/provider-glyph.tsx'
import classes from './provider-gallery.module.css'

type Props<P extends Provider> = {
  opened: boolean
  title: string
  providers: readonly P[]
  onChoose: (kind: P['kind']) => void
  onClose: () => void
}

/** Which provider to add, from the catalogue of the contract. */
export const ProviderGallery = <P extends Provider>({ opened, title, providers, onChoose, onClose }: Props<P>) => {
  const [sought, setSought] = useState('')
  const found = providers.filter(({ label, description, words }) => isFound(sought, label, description, words))
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setSought('')}
      size="lg"
      title={<Text fw={600}>{title}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <TextInput
        aria-label="Procurar provedor"
        placeholder="Procurar"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
        mb="sm"
        data-autofocus
      />
      <ul className={classes.list}>
        {found.map(({ kind, label, description, glyph }) => (
          <li key={kind}>
            <UnstyledButton className={classes.card} onClick={() => onChoose(kind)}>
              <ProviderGlyph glyph={glyph} size={36} />
              <span className={classes.words}>
                <span className={classes.name}>{label}</span>
                <span className={classes.what}>{description}</span>
              </span>
              <IconChevronRight size={18} aria-hidden />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          Nada com “{sought.trim()}”. Procure por outra palavra.
        </Text>
      )}
    </Modal>
  )
}
