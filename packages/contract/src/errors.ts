/**
 * Every error a person can meet: the code is the API, the text is what the screen says when the server
 * sends nothing better. Codes of spec §8 keep their names.
 */
export const errorCodes = {
  ERR_VALIDATION: { status: 422, text: 'Alguns campos precisam de correção.' },
  ERR_INTERNAL: { status: 500, text: 'Ocorreu um erro não identificado.' },
  ERR_NOT_FOUND: { status: 404, text: 'Não encontrado.' },
  ERR_CONFLICT: { status: 409, text: 'Outra pessoa alterou este registro. Confira o que mudou antes de salvar.' },
  ERR_DUPLICATED: { status: 409, text: 'Já existe um registro com este valor.' },
  ERR_IN_USE: { status: 409, text: 'Este registro está em uso e não pode ser excluído.' },
  ERR_TOO_MANY: { status: 429, text: 'Muitas solicitações. Aguarde um momento e tente novamente.' },
  ERR_TOO_LARGE: { status: 413, text: 'O arquivo é maior do que o permitido.' },
  ERR_TOO_HEAVY: { status: 413, text: 'Isto é grande demais para ser preparado. Tente com menos de cada vez.' },
  ERR_STORAGE_FULL: {
    status: 507,
    text: 'Não há espaço para guardar arquivos. Mensagens de texto continuam funcionando. Avise o administrador.',
  },
  ERR_BUSY: {
    status: 429,
    text: 'Há buscas demais em andamento. Espere alguns segundos e tente de novo.',
  },
  ERR_TOO_SLOW: {
    status: 422,
    text: 'Isso demorou demais e foi interrompido. Busque por palavras mais específicas ou escolha um período menor.',
  },
  ERR_UNAVAILABLE: { status: 503, text: 'Serviço indisponível no momento. Tente novamente em instantes.' },

  ERR_NO_DEF_WAPP_FOUND: {
    status: 404,
    text: 'Nenhum WhatsApp padrão encontrado. Verifique a página de conexões.',
  },
  ERR_WAPP_NOT_INITIALIZED: {
    status: 409,
    text: 'Esta sessão do WhatsApp não foi inicializada. Verifique a página de conexões.',
  },
  ERR_WAPP_INITIALIZED: {
    status: 409,
    text: 'A conexão não está ativa e está reiniciando. Tente novamente em alguns segundos.',
  },
  ERR_WAPP_CHECK_CONTACT: { status: 502, text: 'Não foi possível verificar o contato. Confira a página de conexões.' },
  ERR_WAPP_INVALID_CONTACT: { status: 422, text: 'Este não é um número de WhatsApp válido.' },
  ERR_WAPP_DOWNLOAD_MEDIA: { status: 502, text: 'Não foi possível baixar a mídia. Confira a página de conexões.' },
  ERR_INVALID_CREDENTIALS: { status: 401, text: 'Erro de autenticação. Por favor, tente novamente.' },
  ERR_LIMIT_MAX: { status: 429, text: 'Muitas tentativas. Tente novamente em 1 minuto.' },
  ERR_SENDING_WAPP_MSG: { status: 502, text: 'Erro ao enviar a mensagem. Confira a página de conexões.' },
  ERR_DELETE_WAPP_MSG: { status: 409, text: 'Não foi possível excluir a mensagem.' },
  ERR_OTHER_OPEN_TICKET: { status: 409, text: 'Já existe um atendimento aberto para este contato.' },
  ERR_SESSION_EXPIRED: { status: 401, text: 'Sessão expirada. Por favor, entre novamente.' },
  ERR_USER_BLOCKED: { status: 401, text: 'Seu acesso foi bloqueado. Fale com o administrador.' },
  ERR_USER_CREATION_DISABLED: { status: 403, text: 'A criação de usuários foi desativada pelo administrador.' },
  ERR_NO_PERMISSION: { status: 403, text: 'Você não tem permissão para acessar este recurso.' },
  ERR_DUPLICATED_CONTACT: { status: 409, text: 'Já existe um contato com este número.' },
  ERR_CONTACTS_BOTH_ACTIVE: {
    status: 409,
    text: 'Os dois contatos têm atendimento ativo no mesmo canal. Encerre ou una esses atendimentos antes.',
  },
  ERR_MERGE_NOT_LAST: {
    status: 409,
    text: 'Este contato já faz parte de outro. Desfaça primeiro a união mais recente.',
  },
  ERR_NO_SETTING_FOUND: { status: 404, text: 'Nenhuma configuração encontrada com este identificador.' },
  ERR_NO_CONTACT_FOUND: { status: 404, text: 'Nenhum contato encontrado com este identificador.' },
  ERR_NO_TICKET_FOUND: { status: 404, text: 'Atendimento não encontrado.' },
  ERR_NO_USER_FOUND: { status: 404, text: 'Nenhum usuário encontrado com este identificador.' },
  ERR_NO_WAPP_FOUND: { status: 404, text: 'Nenhuma conexão encontrada com este identificador.' },
  ERR_CREATING_MESSAGE: { status: 500, text: 'Erro ao gravar a mensagem no banco de dados.' },
  ERR_CREATING_TICKET: { status: 500, text: 'Erro ao gravar o atendimento no banco de dados.' },
  ERR_FETCH_WAPP_MSG: { status: 404, text: 'Erro ao buscar a mensagem. Talvez ela seja muito antiga.' },
  ERR_TENANT_INACTIVE: { status: 403, text: 'O acesso desta empresa está inativo. Fale com o administrador.' },
  ERR_ASAAS_OVERDUE: { status: 402, text: 'Verifique a situação do seu plano.' },

  ERROR_NO_PERMISSION_API_ADMIN: { status: 403, text: 'Instalação não AUTORIZADA' },
  OUT_RANGE: { status: 403, text: 'Fora do horário de atendimento permitido.' },
  INVALID_LICENSE: { status: 403, text: 'Licença inválida.' },
  INVALID_DOMAIN: { status: 403, text: 'Domínio não autorizado pela licença.' },
  LICENSE_ERROR: { status: 403, text: 'Falha ao verificar a licença.' },

  ERR_PASSWORD_PLAIN: { status: 422, text: 'Não foi possível proteger a senha. Acesse por HTTPS.' },
  ERR_PASSWORD_WEAK: { status: 422, text: 'Use uma senha com pelo menos 8 caracteres.' },
  ERR_PASSWORD_WRONG: { status: 422, text: 'A senha atual não confere.' },
  ERR_RESET_TOKEN: { status: 422, text: 'Este link expirou ou já foi usado. Peça um novo.' },
  ERR_PROTOCOL_LINK: {
    status: 404,
    text: 'Este endereço não existe ou já expirou. Peça um novo a quem atendeu você.',
  },
  ERR_SETUP_TOKEN: { status: 403, text: 'Este link de instalação é inválido ou já foi usado.' },
  ERR_IMPERSONATION_CODE: { status: 403, text: 'Código inválido, expirado ou já utilizado.' },
  ERR_IMPERSONATION_FORBIDDEN: { status: 403, text: 'Esta empresa não permite o acesso do suporte.' },
  ERR_DUPLICATED_EMAIL: { status: 409, text: 'Já existe um usuário com este e-mail.' },
  ERR_LAST_ADMIN: { status: 409, text: 'A empresa precisa de pelo menos um administrador ativo.' },
  ERR_USER_LIMIT_USER_CREATION: { status: 409, text: 'O limite de usuários do plano foi atingido.' },
  ERR_CONNECTION_LIMIT: { status: 409, text: 'O limite de conexões do plano foi atingido.' },

  ERR_CONTACT_TICKETS_REGISTERED: {
    status: 409,
    text: 'O contato possui atendimentos registrados e não pode ser excluído.',
  },
  ERR_TAG_CONTACTS_EXISTS: { status: 409, text: 'Existem contatos com esta etiqueta. Remova-a deles antes.' },
  ERR_QUEUE_TICKET_EXISTS: { status: 409, text: 'Existem atendimentos nesta fila. Transfira-os antes de excluir.' },
  ERR_REASON_IN_USE: {
    status: 409,
    text: 'Este motivo já encerrou atendimentos. Desative-o para que não seja mais oferecido.',
  },
  ERR_NO_STATUS_SELECTED: { status: 422, text: 'Selecione ao menos uma situação.' },
  ERR_TICKET_CLOSED: { status: 409, text: 'Este atendimento está encerrado. Reabra para responder.' },
  ERR_TICKET_OFFERED: {
    status: 409,
    text: 'Este atendimento está na vez de outra pessoa. Você pode assumir mesmo assim.',
  },
  ERR_TICKET_TAKEN: { status: 409, text: 'Outro atendente já aceitou este atendimento.' },
  ERR_TOO_MANY_PINS: { status: 409, text: 'Você já fixou 20 atendimentos. Desafixe um deles antes.' },
  ERR_INVALID_TRANSITION: { status: 409, text: 'Esta mudança de situação não é possível agora.' },
  ERR_WINDOW_CLOSED: {
    status: 409,
    text: 'A janela de 24 horas do WhatsApp terminou. Envie um modelo de mensagem aprovado.',
  },
  ERR_CHANNEL_UNSUPPORTED: { status: 422, text: 'Este canal não aceita este tipo de mensagem.' },
  ERR_CONTACT_UNREACHABLE: { status: 422, text: 'O contato não tem um endereço neste canal.' },
  ERR_CHANNEL_REFUSED: { status: 422, text: 'O provedor recusou a configuração desta conexão.' },
  ERR_SCHEDULE_NOT_PENDING: { status: 409, text: 'Esta mensagem agendada já foi enviada ou cancelada.' },
  ERR_MESSAGE_NOT_RESENDABLE: { status: 409, text: 'Só é possível reenviar mensagens que falharam.' },
  ERR_EGRESS_REFUSED: { status: 422, text: 'Este endereço não é permitido: ele aponta para uma rede interna.' },
  ERR_MEDIA_TYPE: { status: 422, text: 'Este tipo de arquivo não é aceito.' },
  ERR_MEDIA_LINK: { status: 403, text: 'O link deste arquivo expirou.' },

  ERR_WEBCHAT_DOMAIN: { status: 403, text: 'Este site não está autorizado a usar o chat.' },
  ERR_WEBCHAT_IDENTITY: { status: 403, text: 'A identidade informada pelo site não é válida.' },
  ERR_WEBHOOK_SIGNATURE: { status: 401, text: 'Assinatura inválida.' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorCode = keyof typeof errorCodes

export const isErrorCode = (code: string): code is ErrorCode => code in errorCodes

/** The Portuguese sentence of a code, or undefined when the code is not ours. */
export const errorText = (code: string): string | undefined =>
  code in errorCodes ? errorCodes[code as ErrorCode].text : undefined

/** One complaint about one field, ready to be shown under it. */
export type FieldProblem = { path: string; message: string }
/** The body of every answer that is not a success. */
export type ErrorBody = { error: string; message: string; details?: unknown; requestId: string }
