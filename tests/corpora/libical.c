/* Reads calendar files with libical. Each line of input is "<from> <to> <path>" (years), each line of output one JSON object. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4000
#define MOST_EVENTS 4000

typedef struct {
  time_t start, end;
} span_t;
typedef struct {
  span_t spans[MOST];
  int count, is_date;
} found_t;

static void take(icalcomponent *comp, struct icaltime_span *span, void *data) {
  found_t *found = data;
  (void)comp;
  if (found->count < MOST) {
    found->spans[found->count].start = span->start;
    found->spans[found->count++].end = span->end;
  }
}

static int by_start(const void *a, const void *b) {
  const span_t *x = a, *y = b;
  return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->end < y->end ? -1 : x->end > y->end);
}

static void text(const char *s) {
  putchar('"');
  for (; s && *s; s++) {
    if (*s == '"' || *s == '\\') printf("\\%c", *s);
    else if ((unsigned char)*s < 0x20) printf("\\u%04x", *s);
    else putchar(*s);
  }
  putchar('"');
}

static void moment(time_t at, int is_date) {
  char out[64];
  struct tm parts;
  gmtime_r(&at, &parts);
  strftime(out, sizeof out, is_date ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%SZ", &parts);
  printf("\"%s\"", out);
}

static time_t instant(struct icaltimetype t) {
  return icaltime_as_timet_with_zone(t, t.zone ? t.zone : icaltimezone_get_utc_timezone());
}

static int is_override(icalcomponent *one) {
  return icalcomponent_get_first_property(one, ICAL_RECURRENCEID_PROPERTY) != NULL;
}

static icalcomponent *events[MOST_EVENTS];
static int event_count;

static void collect(icalcomponent *in) {
  for (icalcomponent *one = icalcomponent_get_first_component(in, ICAL_ANY_COMPONENT); one;
       one = icalcomponent_get_next_component(in, ICAL_ANY_COMPONENT)) {
    if (icalcomponent_isa(one) == ICAL_VEVENT_COMPONENT && event_count < MOST_EVENTS) events[event_count++] = one;
    else if (icalcomponent_isa(one) == ICAL_VCALENDAR_COMPONENT) collect(one);
  }
}

static const char *uid_of(icalcomponent *one) {
  const char *uid = icalcomponent_get_uid(one);
  return uid ? uid : "";
}

/* Each component without a UID is an event of its own. */
static int are_one(int a, int b) {
  const char *uid = uid_of(events[a]);
  return a == b || (*uid && strcmp(uid, uid_of(events[b])) == 0);
}

static int is_cancelled(icalcomponent *one) {
  return icalcomponent_get_status(one) == ICAL_STATUS_CANCELLED;
}

static void event(int at, int from, int to, int *written) {
  static found_t found;
  icalcomponent *main = NULL;
  const char *uid = uid_of(events[at]);
  int sequence = -1;
  for (int i = 0; i < at; i++)
    if (are_one(i, at)) return;
  for (int i = at; i < event_count; i++) {
    if (!are_one(i, at) || is_override(events[i])) continue;
    if (icalcomponent_get_sequence(events[i]) >= sequence) {
      sequence = icalcomponent_get_sequence(events[i]);
      main = events[i];
    }
  }
  found.count = 0;
  found.is_date = main ? icalcomponent_get_dtstart(main).is_date : 0;
  if (main && icaltime_is_null_time(icalcomponent_get_dtstart(main))) return;
  if (main && is_cancelled(main)) return;
  if (main) {
    struct icaltimetype begin = icaltime_null_time(), end = icaltime_null_time();
    begin.year = from, end.year = to, begin.month = end.month = begin.day = end.day = 1;
    begin.zone = end.zone = icaltimezone_get_utc_timezone();
    icalcomponent_foreach_recurrence(main, begin, end, take, &found);
  }
  for (int i = at; i < event_count; i++) {
    if (!are_one(i, at) || !is_override(events[i])) continue;
    struct icaltimetype id = icalcomponent_get_recurrenceid(events[i]);
    time_t original = instant(id);
    for (int k = 0; k < found.count; k++)
      if (found.spans[k].start == original) found.spans[k--] = found.spans[--found.count];
    struct icaltimetype start = icalcomponent_get_dtstart(events[i]);
    if (is_cancelled(events[i]) || found.count >= MOST) continue;
    if (!main) found.is_date = start.is_date;
    if (icaltime_is_null_time(start)) continue;
    found.spans[found.count].start = instant(start);
    found.spans[found.count++].end = instant(icalcomponent_get_dtend(events[i]));
  }
  qsort(found.spans, found.count, sizeof(span_t), by_start);
  printf("%s{\"uid\":", (*written)++ ? "," : "");
  text(uid);
  printf(",\"spans\":[");
  for (int k = 0; k < found.count; k++) {
    printf("%s[", k ? "," : "");
    moment(found.spans[k].start, found.is_date);
    putchar(',');
    moment(found.spans[k].end, found.is_date);
    putchar(']');
  }
  printf("]}");
}

int main(void) {
  static char line[8192];
  icalerror_set_errors_are_fatal(0);
  while (fgets(line, sizeof line, stdin)) {
    int from, to, offset;
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "%d %d %n", &from, &to, &offset) < 2) return 1;
    FILE *file = fopen(line + offset, "rb");
    if (!file) return 1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *all = malloc(size + 1);
    all[fread(all, 1, size, file)] = 0;
    fclose(file);
    icalcomponent *root = icalparser_parse_string(all);
    int written = 0;
    event_count = 0;
    printf(root ? "{\"events\":[" : "{\"error\":\"no calendar\",\"events\":[");
    if (root) {
      if (icalcomponent_isa(root) == ICAL_VEVENT_COMPONENT) events[event_count++] = root;
      collect(root);
      for (int i = 0; i < event_count; i++) event(i, from, to, &written);
      icalcomponent_free(root);
    }
    printf("]}\n");
    fflush(stdout);
    free(all);
  }
  return 0;
}
