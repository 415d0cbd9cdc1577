/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of messages.c that have a count, of the type COUNT; FORM(name) is the name with its suffix. No include
 * guard: messages.c includes it once for each form.
 */
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define SEND_ARGUMENTS const void *buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm
#define RECEIVE_ARGUMENTS void *buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm
#define ARGUMENTS buffer, count, type, peer, tag, comm

/* Blocking ones: in a single thread as they are, else as a nonblocking one, started under the lock, and a wait. */
static int FORM(send_blocking)(int site, SEND_ARGUMENTS, int (*whole)(SEND_ARGUMENTS),
                               int (*nonblocking)(SEND_ARGUMENTS, MPI_Request *)) {
  struct operation send = start_send(site, envelope_of(comm, peer, tag));
  MPI_Request request = MPI_REQUEST_NULL;
  int error = several_threads ? nonblocking(ARGUMENTS, &request) : MPI_SUCCESS;
  unlock();
  if (!several_threads)
    error = whole(ARGUMENTS);
  else if (error == MPI_SUCCESS)
    error = PMPI_Wait(&request, MPI_STATUS_IGNORE);
  lock();
  end_send(&send, NULL, error);
  unlock();
  return error;
}

#define SEND(name, nonblocking)                                                                                        \
  EXPORT int FORM(MPI_##name)(SEND_ARGUMENTS) {                                                                        \
    return FORM(send_blocking)(enter(TEXT(FORM(MPI_##name)), HERE), ARGUMENTS, FORM(PMPI_##name),                      \
                               FORM(PMPI_##nonblocking));                                                              \
  }
SEND(Send, Isend)
SEND(Ssend, Issend)
SEND(Rsend, Irsend)
SEND(Bsend, Ibsend)
#undef SEND

EXPORT int FORM(MPI_Recv)(RECEIVE_ARGUMENTS, MPI_Status *status) {
  int error, site = enter(TEXT(FORM(MPI_Recv)), HERE);
  struct operation receive = start_receive(site, envelope_of(comm, peer, tag));
  MPI_Request request = MPI_REQUEST_NULL;
  error = several_threads ? FORM(PMPI_Irecv)(ARGUMENTS, &request) : MPI_SUCCESS;
  unlock();
  status = LOOKED_AT(status);
  if (!several_threads)
    error = FORM(PMPI_Recv)(ARGUMENTS, status);
  else if (error == MPI_SUCCESS)
    error = PMPI_Wait(&request, status);
  lock();
  end_receive(&receive, status, error);
  unlock();
  return error;
}

/* Nonblocking ones start under the lock, which then holds the order. */
static int FORM(send_nonblocking)(int site, SEND_ARGUMENTS, MPI_Request *request,
                                  int (*begin)(SEND_ARGUMENTS, MPI_Request *)) {
  struct operation send = start_send(site, envelope_of(comm, peer, tag));
  int error = begin(ARGUMENTS, request);
  if (error == MPI_SUCCESS)
    request_made(site, request, send, (struct operation){0});
  else
    end_send(&send, NULL, error);
  unlock();
  return error;
}

static int FORM(send_persistent)(int site, SEND_ARGUMENTS, MPI_Request *request,
                                 int (*init)(SEND_ARGUMENTS, MPI_Request *)) {
  int error = init(ARGUMENTS, request);
  if (error == MPI_SUCCESS)
    request_persistent(site, *request, SENDS, envelope_of(comm, peer, tag));
  unlock();
  return error;
}

#define WITH_REQUEST(name, how)                                                                                        \
  EXPORT int FORM(MPI_##name)(SEND_ARGUMENTS, MPI_Request * request) {                                                 \
    return FORM(how)(enter(TEXT(FORM(MPI_##name)), HERE), ARGUMENTS, request, FORM(PMPI_##name));                      \
  }
WITH_REQUEST(Isend, send_nonblocking)
WITH_REQUEST(Issend, send_nonblocking)
WITH_REQUEST(Irsend, send_nonblocking)
WITH_REQUEST(Ibsend, send_nonblocking)
WITH_REQUEST(Send_init, send_persistent)
WITH_REQUEST(Ssend_init, send_persistent)
WITH_REQUEST(Rsend_init, send_persistent)
WITH_REQUEST(Bsend_init, send_persistent)
#undef WITH_REQUEST

EXPORT int FORM(MPI_Irecv)(RECEIVE_ARGUMENTS, MPI_Request *request) {
  int error, site = enter(TEXT(FORM(MPI_Irecv)), HERE);
  struct operation receive = start_receive(site, envelope_of(comm, peer, tag));
  error = FORM(PMPI_Irecv)(ARGUMENTS, request);
  if (error == MPI_SUCCESS)
    request_made(site, request, (struct operation){0}, receive);
  else
    end_receive(&receive, NULL, error);
  unlock();
  return error;
}

EXPORT int FORM(MPI_Recv_init)(RECEIVE_ARGUMENTS, MPI_Request *request) {
  int site = enter(TEXT(FORM(MPI_Recv_init)), HERE);
  int error = FORM(PMPI_Recv_init)(ARGUMENTS, request);
  if (error == MPI_SUCCESS)
    request_persistent(site, *request, RECEIVES, envelope_of(comm, peer, tag));
  unlock();
  return error;
}

#define BOTH_ARGUMENTS                                                                                                 \
  const void *out, COUNT out_count, MPI_Datatype out_type, int to, int out_tag, void *in, COUNT in_count,              \
      MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm

EXPORT int FORM(MPI_Sendrecv)(BOTH_ARGUMENTS, MPI_Status *status) {
  int error, site = enter(TEXT(FORM(MPI_Sendrecv)), HERE);
  struct operation receive = start_receive(site, envelope_of(comm, from, in_tag));
  struct operation send = start_send(site, envelope_of(comm, to, out_tag));
  MPI_Request requests[2];
  status = LOOKED_AT(status);
  if (several_threads) {
    error = FORM(PMPI_Irecv)(in, in_count, in_type, from, in_tag, comm, &requests[0]);
    if (error == MPI_SUCCESS)
      error = FORM(PMPI_Isend)(out, out_count, out_type, to, out_tag, comm, &requests[1]);
    unlock();
    if (error == MPI_SUCCESS)
      error = PMPI_Wait(&requests[0], status);
    if (error == MPI_SUCCESS)
      error = PMPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  } else {
    unlock();
    error =
        FORM(PMPI_Sendrecv)(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
  }
  lock();
  end_both(&send, &receive, status, error);
  unlock();
  return error;
}

#define REPLACE_ARGUMENTS                                                                                              \
  void *buffer, COUNT count, MPI_Datatype type, int to, int out_tag, int from, int in_tag, MPI_Comm comm
#define REPLACED buffer, count, type, to, out_tag, from, in_tag, comm

EXPORT int FORM(MPI_Sendrecv_replace)(REPLACE_ARGUMENTS, MPI_Status *status) {
  int error, site = enter(TEXT(FORM(MPI_Sendrecv_replace)), HERE);
  struct operation receive = start_receive(site, envelope_of(comm, from, in_tag));
  struct operation send = start_send(site, envelope_of(comm, to, out_tag));
  unlock();
  status = LOOKED_AT(status);
  error = FORM(PMPI_Sendrecv_replace)(REPLACED, status);
  lock();
  end_both(&send, &receive, status, error);
  unlock();
  return error;
}

#if MPI_VERSION >= 4
static int FORM(both_nonblocking)(int site, struct envelope to, struct envelope from, int error, MPI_Request *request) {
  if (error == MPI_SUCCESS) {
    struct operation receive = start_receive(site, from);
    request_made(site, request, start_send(site, to), receive);
  }
  unlock();
  return error;
}

EXPORT int FORM(MPI_Isendrecv)(BOTH_ARGUMENTS, MPI_Request *request) {
  int site = enter(TEXT(FORM(MPI_Isendrecv)), HERE);
  return FORM(both_nonblocking)(
      site, envelope_of(comm, to, out_tag), envelope_of(comm, from, in_tag),
      FORM(PMPI_Isendrecv)(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, request),
      request);
}

EXPORT int FORM(MPI_Isendrecv_replace)(REPLACE_ARGUMENTS, MPI_Request *request) {
  int site = enter(TEXT(FORM(MPI_Isendrecv_replace)), HERE);
  return FORM(both_nonblocking)(site, envelope_of(comm, to, out_tag), envelope_of(comm, from, in_tag),
                                FORM(PMPI_Isendrecv_replace)(REPLACED, request), request);
}
#endif

EXPORT int FORM(MPI_Mrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
  int site = enter(TEXT(FORM(MPI_Mrecv)), HERE);
  receives_message(site, *message);
  unlock();
  return FORM(PMPI_Mrecv)(buffer, count, type, message, status);
}

EXPORT int FORM(MPI_Imrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
  int error, site = enter(TEXT(FORM(MPI_Imrecv)), HERE);
  receives_message(site, *message);
  error = FORM(PMPI_Imrecv)(buffer, count, type, message, request);
  if (error == MPI_SUCCESS)
    request_made(site, request, (struct operation){0}, (struct operation){0});
  unlock();
  return error;
}

#undef TEXT_OF
#undef TEXT
#undef SEND_ARGUMENTS
#undef RECEIVE_ARGUMENTS
#undef ARGUMENTS
#undef BOTH_ARGUMENTS
#undef REPLACE_ARGUMENTS
#undef REPLACED
