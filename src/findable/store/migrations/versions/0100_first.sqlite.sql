CREATE TABLE account (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	email TEXT NOT NULL,
	name TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	projects INTEGER DEFAULT '0' NOT NULL,
	reports INTEGER DEFAULT '0' NOT NULL,
	good INTEGER DEFAULT '0' NOT NULL,
	decent INTEGER DEFAULT '0' NOT NULL,
	bad INTEGER DEFAULT '0' NOT NULL,
	brand_name TEXT,
	brand_color TEXT,
	brand_logo BLOB,
	brand_reply_to TEXT,
	rating_words TEXT,
	language TEXT,
	default_privacy SMALLINT,
	browser TEXT,
	CONSTRAINT uq_account_email UNIQUE (email)
);
CREATE TABLE pause (
	origin TEXT NOT NULL,
	host TEXT NOT NULL,
	until_at BIGINT NOT NULL,
	CONSTRAINT pk_pause PRIMARY KEY (origin)
);
CREATE TABLE site_answer (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	site TEXT NOT NULL,
	data BLOB NOT NULL,
	made_at BIGINT NOT NULL
);
CREATE INDEX ix_site_answer_made ON site_answer (made_at);
CREATE INDEX ix_site_answer_site ON site_answer (site, id);
CREATE TABLE idempotency (
	owner TEXT NOT NULL,
	"key" TEXT NOT NULL,
	payload_hash TEXT NOT NULL,
	report_id INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	held_until BIGINT NOT NULL,
	reply BLOB,
	CONSTRAINT pk_idempotency PRIMARY KEY (owner, "key")
);
CREATE INDEX ix_idempotency_created ON idempotency (created_at);
CREATE TABLE rate_bucket (
	name TEXT NOT NULL,
	count INTEGER NOT NULL,
	blocked_until BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	CONSTRAINT pk_rate_bucket PRIMARY KEY (name)
);
CREATE INDEX ix_rate_bucket_expires ON rate_bucket (expires_at);
CREATE TABLE check_name (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	CONSTRAINT pk_check_name PRIMARY KEY (id),
	CONSTRAINT uq_check_name_name UNIQUE (name)
);
CREATE TABLE check_set (
	id INTEGER NOT NULL,
	digest BLOB NOT NULL,
	not_asked TEXT NOT NULL,
	CONSTRAINT pk_check_set PRIMARY KEY (id),
	CONSTRAINT uq_check_set_digest UNIQUE (digest)
);
CREATE TABLE blob (
	hash BLOB NOT NULL,
	data BLOB NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_blob PRIMARY KEY (hash)
);
CREATE TABLE picture (
	hash BLOB NOT NULL,
	data BLOB NOT NULL,
	width_px INTEGER NOT NULL,
	height_px INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_picture PRIMARY KEY (hash)
);
CREATE TABLE person (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	email TEXT NOT NULL,
	password_hash TEXT,
	created_at BIGINT NOT NULL,
	disabled_at BIGINT,
	name TEXT DEFAULT '' NOT NULL,
	role TEXT DEFAULT 'owner' NOT NULL,
	language TEXT,
	time_zone TEXT,
	seen_at BIGINT,
	visited_at BIGINT,
	is_operator SMALLINT DEFAULT '0' NOT NULL,
	CONSTRAINT fk_person_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT uq_person_email UNIQUE (email)
);
CREATE INDEX ix_person_account_id ON person (account_id);
CREATE TABLE audit_entry (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	at BIGINT NOT NULL,
	actor TEXT NOT NULL,
	person_id INTEGER,
	key_prefix TEXT,
	action TEXT NOT NULL,
	subject TEXT NOT NULL,
	details TEXT NOT NULL,
	network TEXT,
	CONSTRAINT fk_audit_entry_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX ix_audit_entry_account_id_id ON audit_entry (account_id, id);
CREATE INDEX ix_audit_entry_at ON audit_entry (at);
CREATE TABLE turn (
	account_id INTEGER NOT NULL,
	active INTEGER NOT NULL,
	served INTEGER NOT NULL,
	CONSTRAINT pk_turn PRIMARY KEY (account_id),
	CONSTRAINT fk_turn_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX ix_turn_served ON turn (served);
CREATE TABLE check_set_member (
	check_id INTEGER NOT NULL,
	set_id INTEGER NOT NULL,
	CONSTRAINT pk_check_set_member PRIMARY KEY (check_id, set_id),
	CONSTRAINT fk_check_set_member_check_id FOREIGN KEY(check_id) REFERENCES check_name (id),
	CONSTRAINT fk_check_set_member_set_id FOREIGN KEY(set_id) REFERENCES check_set (id)
);
CREATE TABLE batch (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	source TEXT NOT NULL,
	members INTEGER NOT NULL,
	left_out INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	duplicates INTEGER DEFAULT '0' NOT NULL,
	fed INTEGER DEFAULT '0' NOT NULL,
	schedule_id INTEGER,
	person_id INTEGER,
	project_id INTEGER,
	privacy SMALLINT DEFAULT '0' NOT NULL,
	password_hash TEXT,
	makes_new SMALLINT DEFAULT '0' NOT NULL,
	browser TEXT,
	CONSTRAINT fk_batch_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX ix_batch_account ON batch (account_id, id);
CREATE INDEX ix_batch_waiting ON batch (account_id, id) WHERE fed < members;
CREATE TABLE session (
	token_hash BLOB NOT NULL,
	person_id INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	last_seen_at BIGINT,
	user_agent TEXT,
	network TEXT,
	proxied_email TEXT,
	preview_of INTEGER,
	CONSTRAINT pk_session PRIMARY KEY (token_hash),
	CONSTRAINT fk_session_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE
);
CREATE INDEX ix_session_person_id ON session (person_id);
CREATE TABLE identity (
	issuer TEXT NOT NULL,
	subject TEXT NOT NULL,
	person_id INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_identity PRIMARY KEY (issuer, subject),
	CONSTRAINT fk_identity_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE
);
CREATE INDEX ix_identity_person_id ON identity (person_id);
CREATE TABLE one_time_link (
	token_hash BLOB NOT NULL,
	person_id INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	used_at BIGINT,
	CONSTRAINT pk_one_time_link PRIMARY KEY (token_hash),
	CONSTRAINT fk_one_time_link_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE
);
CREATE INDEX ix_one_time_link_person_id ON one_time_link (person_id);
CREATE TABLE api_key (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	person_id INTEGER NOT NULL,
	prefix TEXT NOT NULL,
	token_hash BLOB NOT NULL,
	name TEXT NOT NULL,
	scopes TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT,
	revoked_at BIGINT,
	last_used_at BIGINT,
	CONSTRAINT fk_api_key_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_api_key_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE,
	CONSTRAINT uq_api_key_prefix UNIQUE (prefix),
	CONSTRAINT uq_api_key_token_hash UNIQUE (token_hash)
);
CREATE INDEX ix_api_key_account_id ON api_key (account_id);
CREATE INDEX ix_api_key_person_id ON api_key (person_id);
CREATE TABLE mail_choice (
	person_id INTEGER NOT NULL,
	digest TEXT NOT NULL,
	digest_at BIGINT,
	CONSTRAINT pk_mail_choice PRIMARY KEY (person_id),
	CONSTRAINT fk_mail_choice_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE
);
CREATE TABLE project (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	name TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	deleted_at BIGINT,
	reports INTEGER DEFAULT '0' NOT NULL,
	good INTEGER DEFAULT '0' NOT NULL,
	decent INTEGER DEFAULT '0' NOT NULL,
	bad INTEGER DEFAULT '0' NOT NULL,
	brand_name TEXT,
	brand_color TEXT,
	brand_logo BLOB,
	brand_reply_to TEXT,
	rating_words TEXT,
	language TEXT,
	default_privacy SMALLINT,
	browser TEXT,
	link_expires_at BIGINT,
	is_listed SMALLINT DEFAULT '0' NOT NULL,
	client TEXT,
	not_for_search TEXT,
	segments TEXT,
	extractors TEXT,
	top_urls TEXT,
	public_id TEXT,
	privacy SMALLINT DEFAULT '1' NOT NULL,
	password_hash TEXT,
	password_version INTEGER DEFAULT '0' NOT NULL,
	browser_options TEXT,
	identity BLOB,
	page_scores INTEGER DEFAULT '0' NOT NULL,
	scored_pages INTEGER DEFAULT '0' NOT NULL,
	start_cap SMALLINT,
	retention TEXT,
	reports_bytes BIGINT DEFAULT '0' NOT NULL,
	measured_at BIGINT DEFAULT '0' NOT NULL,
	tracker TEXT,
	title TEXT,
	client_name TEXT,
	tags TEXT,
	watch_answered SMALLINT DEFAULT '0' NOT NULL,
	owner_id INTEGER,
	icon BLOB,
	CONSTRAINT fk_project_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_owner_id FOREIGN KEY(owner_id) REFERENCES person (id) ON DELETE SET NULL
);
CREATE INDEX ix_project_created ON project (account_id, created_at, id);
CREATE INDEX ix_project_deleted ON project (account_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX ix_project_icon ON project (icon) WHERE icon IS NOT NULL;
CREATE INDEX ix_project_measured ON project (measured_at, id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX uq_project_alive_name ON project (account_id, name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX uq_project_public_id ON project (public_id);
CREATE TABLE invitation (
	token_hash BLOB NOT NULL,
	account_id INTEGER NOT NULL,
	role TEXT NOT NULL,
	email TEXT,
	invited_by INTEGER,
	project_id INTEGER,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	used_at BIGINT,
	CONSTRAINT pk_invitation PRIMARY KEY (token_hash),
	CONSTRAINT fk_invitation_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_invitation_invited_by FOREIGN KEY(invited_by) REFERENCES person (id) ON DELETE SET NULL,
	CONSTRAINT fk_invitation_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_invitation_account_id ON invitation (account_id);
CREATE INDEX ix_invitation_project_id ON invitation (project_id);
CREATE TABLE saved_view (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	project_id INTEGER,
	list TEXT NOT NULL,
	name TEXT NOT NULL,
	"query" TEXT NOT NULL,
	most INTEGER,
	created_at BIGINT NOT NULL,
	CONSTRAINT uq_saved_view_account_id_list_name UNIQUE (account_id, list, name),
	CONSTRAINT fk_saved_view_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_saved_view_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_saved_view_project_id ON saved_view (project_id);
CREATE TABLE log_import (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	source TEXT NOT NULL,
	format TEXT NOT NULL,
	head_hash TEXT NOT NULL,
	head_bytes INTEGER NOT NULL,
	"offset" BIGINT NOT NULL,
	tail_hash TEXT NOT NULL,
	first_at BIGINT NOT NULL,
	last_at BIGINT NOT NULL,
	lines BIGINT NOT NULL,
	unreadable BIGINT NOT NULL,
	without_request BIGINT NOT NULL,
	days TEXT NOT NULL,
	imported_at BIGINT NOT NULL,
	CONSTRAINT fk_log_import_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_log_import_project ON log_import (project_id, last_at);
CREATE TABLE log_folder (
	project_id INTEGER NOT NULL,
	name TEXT NOT NULL,
	due_at BIGINT NOT NULL,
	read_at BIGINT,
	problems TEXT NOT NULL,
	CONSTRAINT pk_log_folder PRIMARY KEY (project_id, name),
	CONSTRAINT fk_log_folder_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE TABLE log_url (
	project_id INTEGER NOT NULL,
	id INTEGER NOT NULL,
	url_key BIGINT NOT NULL,
	url TEXT NOT NULL,
	pattern BIGINT,
	kind SMALLINT NOT NULL,
	last_day INTEGER NOT NULL,
	CONSTRAINT pk_log_url PRIMARY KEY (project_id, id),
	CONSTRAINT fk_log_url_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX ix_log_url_pattern ON log_url (project_id, pattern) WHERE pattern IS NOT NULL;
CREATE UNIQUE INDEX uq_log_url_key ON log_url (project_id, url_key);
CREATE TABLE log_result (
	project_id INTEGER NOT NULL,
	name TEXT NOT NULL,
	version TEXT NOT NULL,
	first_day INTEGER NOT NULL,
	counted_at BIGINT NOT NULL,
	size BIGINT NOT NULL,
	data BLOB NOT NULL,
	CONSTRAINT pk_log_result PRIMARY KEY (project_id, name),
	CONSTRAINT fk_log_result_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE TABLE webhook (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	project_id INTEGER,
	name TEXT NOT NULL,
	kind TEXT NOT NULL,
	events TEXT NOT NULL,
	target BLOB NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	disabled_at BIGINT,
	disabled_why TEXT,
	failing_since BIGINT,
	language TEXT,
	CONSTRAINT fk_webhook_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_webhook_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_webhook_account_id ON webhook (account_id);
CREATE INDEX ix_webhook_project_id ON webhook (project_id);
CREATE TABLE event (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	uid TEXT NOT NULL,
	account_id INTEGER NOT NULL,
	project_id INTEGER,
	type TEXT NOT NULL,
	cause TEXT NOT NULL,
	at BIGINT NOT NULL,
	data TEXT NOT NULL,
	CONSTRAINT uq_event_account_id_type_cause UNIQUE (account_id, type, cause),
	CONSTRAINT uq_event_uid UNIQUE (uid),
	CONSTRAINT fk_event_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_event_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_event_at ON event (at);
CREATE INDEX ix_event_project_id ON event (project_id);
CREATE TABLE subscription (
	person_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_subscription PRIMARY KEY (person_id, project_id),
	CONSTRAINT fk_subscription_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE,
	CONSTRAINT fk_subscription_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX ix_subscription_project_id ON subscription (project_id);
CREATE TABLE recipient (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	email TEXT NOT NULL,
	language TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	stopped_at BIGINT,
	sent_month TEXT,
	CONSTRAINT uq_recipient_project_id_email UNIQUE (project_id, email),
	CONSTRAINT fk_recipient_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE TABLE project_role (
	person_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	role TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_project_role PRIMARY KEY (person_id, project_id),
	CONSTRAINT fk_project_role_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_role_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX ix_project_role_project_id ON project_role (project_id);
CREATE TABLE marker (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	at BIGINT NOT NULL,
	label TEXT NOT NULL,
	CONSTRAINT fk_marker_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_marker_project ON marker (project_id, at);
CREATE TABLE project_day (
	project_id INTEGER NOT NULL,
	day INTEGER NOT NULL,
	score SMALLINT NOT NULL,
	ruleset TEXT,
	CONSTRAINT pk_project_day PRIMARY KEY (project_id, day),
	CONSTRAINT fk_project_day_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE TABLE url_data (
	project_id INTEGER NOT NULL,
	source TEXT NOT NULL,
	day TEXT NOT NULL,
	columns TEXT NOT NULL,
	rows INTEGER NOT NULL,
	skipped INTEGER NOT NULL,
	uploaded_at BIGINT NOT NULL,
	data BLOB NOT NULL,
	data_hash BLOB,
	CONSTRAINT pk_url_data PRIMARY KEY (project_id, source),
	CONSTRAINT fk_url_data_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE TABLE report (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	public_id TEXT NOT NULL,
	account_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	url TEXT NOT NULL,
	scheme_guessed SMALLINT NOT NULL,
	privacy SMALLINT NOT NULL,
	password_hash TEXT,
	password_version INTEGER DEFAULT '0' NOT NULL,
	status TEXT NOT NULL,
	version INTEGER DEFAULT '1' NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	result TEXT,
	score SMALLINT,
	coverage SMALLINT,
	error TEXT,
	verdict_since BIGINT,
	link_expires_at BIGINT,
	is_listed SMALLINT DEFAULT '0' NOT NULL,
	client TEXT,
	subject TEXT DEFAULT '' NOT NULL,
	runs INTEGER DEFAULT '0' NOT NULL,
	run INTEGER,
	generated_at BIGINT,
	check_set INTEGER,
	summary TEXT,
	last_error TEXT,
	previous_report INTEGER,
	previous_run INTEGER,
	previous_result TEXT,
	previous_score SMALLINT,
	generated_up BIGINT NOT NULL,
	generated_down BIGINT NOT NULL,
	result_up SMALLINT NOT NULL,
	result_down SMALLINT NOT NULL,
	worst_down SMALLINT DEFAULT '0' NOT NULL,
	accepted_end BIGINT,
	is_page SMALLINT DEFAULT '1' NOT NULL,
	new_findings TEXT,
	fixed_findings TEXT,
	cap SMALLINT,
	browser TEXT,
	CONSTRAINT uq_report_public_id UNIQUE (public_id),
	CONSTRAINT fk_report_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_report_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_report_accepted_end ON report (accepted_end) WHERE accepted_end IS NOT NULL;
CREATE INDEX ix_report_account ON report (account_id, id, check_set);
CREATE INDEX ix_report_duplicate ON report (account_id, project_id, result_up) WHERE is_page = 0;
CREATE INDEX ix_report_failed_last ON report (verdict_since) WHERE last_error IS NOT NULL AND score > 0;
CREATE INDEX ix_report_generated_down ON report (account_id, generated_down, id);
CREATE INDEX ix_report_generated_up ON report (account_id, generated_up, id);
CREATE INDEX ix_report_project ON report (project_id, id, check_set);
CREATE INDEX ix_report_project_generated ON report (project_id, generated_down, id);
CREATE INDEX ix_report_project_result_down ON report (project_id, result_down, id);
CREATE INDEX ix_report_project_result_up ON report (project_id, result_up, id);
CREATE INDEX ix_report_project_subject ON report (project_id, subject, id);
CREATE INDEX ix_report_project_url ON report (project_id, url, id);
CREATE INDEX ix_report_project_worst_down ON report (project_id, worst_down, id);
CREATE INDEX ix_report_result_down ON report (account_id, result_down, id);
CREATE INDEX ix_report_result_up ON report (account_id, result_up, id);
CREATE INDEX ix_report_unfinished ON report (account_id, status, id) WHERE status != 'done';
CREATE INDEX ix_report_unfinished_url ON report (account_id, status, url, id) WHERE status != 'done';
CREATE INDEX ix_report_updated ON report (account_id, updated_at);
CREATE INDEX ix_report_url ON report (account_id, url, id);
CREATE INDEX ix_report_worst_down ON report (account_id, worst_down, id);
CREATE TABLE schedule (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	person_id INTEGER NOT NULL,
	what TEXT NOT NULL,
	every TEXT NOT NULL,
	at TEXT NOT NULL,
	time_zone TEXT NOT NULL,
	settings TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	planned_at BIGINT NOT NULL,
	due_at BIGINT NOT NULL,
	last_at BIGINT,
	last_is_late SMALLINT DEFAULT '0' NOT NULL,
	last_batch INTEGER,
	last_crawl INTEGER,
	last_problem TEXT,
	CONSTRAINT fk_schedule_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_schedule_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_schedule_account ON schedule (account_id, id);
CREATE INDEX ix_schedule_due ON schedule (due_at, id);
CREATE INDEX ix_schedule_project_id ON schedule (project_id);
CREATE TABLE site_watch (
	project_id INTEGER NOT NULL,
	facts TEXT,
	crawl_id INTEGER,
	crawl TEXT,
	CONSTRAINT pk_site_watch PRIMARY KEY (project_id),
	CONSTRAINT fk_site_watch_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE TABLE alert (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	project_id INTEGER,
	rule TEXT NOT NULL,
	cause TEXT NOT NULL,
	phase TEXT NOT NULL,
	state TEXT NOT NULL,
	details TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	opened_at BIGINT,
	closed_at BIGINT,
	next_at BIGINT,
	pages_count INTEGER DEFAULT '0' NOT NULL,
	examples TEXT NOT NULL,
	is_over SMALLINT DEFAULT '0' NOT NULL,
	CONSTRAINT fk_alert_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_alert_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_alert_account ON alert (account_id, id);
CREATE INDEX ix_alert_next ON alert (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX ix_alert_project_id ON alert (project_id);
CREATE UNIQUE INDEX uq_alert_live ON alert (account_id, project_id, rule, cause) WHERE is_over = 0;
CREATE TABLE crawl (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	public_id TEXT NOT NULL,
	account_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	url TEXT NOT NULL,
	scheme_guessed SMALLINT NOT NULL,
	privacy SMALLINT NOT NULL,
	password_hash TEXT,
	password_version INTEGER DEFAULT '0' NOT NULL,
	status TEXT NOT NULL,
	version INTEGER DEFAULT '1' NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	result TEXT,
	score SMALLINT,
	coverage SMALLINT,
	error TEXT,
	verdict_since BIGINT,
	link_expires_at BIGINT,
	is_listed SMALLINT DEFAULT '0' NOT NULL,
	client TEXT,
	is_stopping SMALLINT DEFAULT '0' NOT NULL,
	started_at BIGINT,
	finished_at BIGINT,
	deleted_at BIGINT,
	settings TEXT NOT NULL,
	listed BLOB,
	ended_by TEXT,
	provisional SMALLINT DEFAULT '0' NOT NULL,
	requests INTEGER DEFAULT '0' NOT NULL,
	size_bytes BIGINT DEFAULT '0' NOT NULL,
	verdict TEXT,
	verdict_values TEXT,
	counts TEXT,
	findings TEXT,
	report BLOB,
	previous_crawl INTEGER,
	CONSTRAINT uq_crawl_public_id UNIQUE (public_id),
	CONSTRAINT fk_crawl_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_crawl_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE
);
CREATE INDEX ix_crawl_account ON crawl (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX ix_crawl_deleted ON crawl (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX ix_crawl_project ON crawl (project_id, id);
CREATE INDEX ix_crawl_site_score ON crawl (project_id, id) WHERE (score IS NOT NULL AND verdict <> 'narrower' AND deleted_at IS NULL);
CREATE INDEX ix_crawl_site_verdict ON crawl (project_id, id) WHERE (verdict <> 'narrower' AND deleted_at IS NULL);
CREATE TABLE job (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	kind TEXT NOT NULL,
	report_id INTEGER,
	account_id INTEGER NOT NULL,
	host TEXT NOT NULL,
	priority SMALLINT NOT NULL,
	fresh_site SMALLINT NOT NULL,
	is_scheduled SMALLINT DEFAULT '0' NOT NULL,
	browser TEXT,
	state TEXT NOT NULL,
	run_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	started_at BIGINT,
	attempt INTEGER DEFAULT '0' NOT NULL,
	failures INTEGER DEFAULT '0' NOT NULL,
	worker TEXT,
	progress TEXT,
	reason TEXT,
	crawl_id INTEGER,
	person_id INTEGER,
	CONSTRAINT uq_job_report_id UNIQUE (report_id),
	CONSTRAINT fk_job_report_id FOREIGN KEY(report_id) REFERENCES report (id) ON DELETE CASCADE,
	CONSTRAINT uq_job_crawl_id UNIQUE (crawl_id),
	CONSTRAINT fk_job_crawl_id FOREIGN KEY(crawl_id) REFERENCES crawl (id) ON DELETE CASCADE
);
CREATE INDEX ix_job_host ON job (state, priority, account_id, host, id);
CREATE INDEX ix_job_turn ON job (state, priority, account_id, id);
CREATE TABLE log_day (
	log_import_id INTEGER NOT NULL,
	day INTEGER NOT NULL,
	bot TEXT NOT NULL,
	verification TEXT NOT NULL,
	statuses TEXT NOT NULL,
	data BLOB NOT NULL,
	CONSTRAINT pk_log_day PRIMARY KEY (log_import_id, day, bot, verification),
	CONSTRAINT fk_log_day_log_import_id FOREIGN KEY(log_import_id) REFERENCES log_import (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE TABLE delivery (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	event_id INTEGER,
	webhook_id INTEGER,
	person_id INTEGER,
	mail BLOB,
	state TEXT NOT NULL,
	run_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	attempt INTEGER DEFAULT '0' NOT NULL,
	failures INTEGER DEFAULT '0' NOT NULL,
	worker TEXT,
	tried_at BIGINT,
	took_ms INTEGER,
	status INTEGER,
	response TEXT,
	error TEXT,
	ended_at BIGINT,
	CONSTRAINT fk_delivery_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_delivery_event_id FOREIGN KEY(event_id) REFERENCES event (id) ON DELETE CASCADE,
	CONSTRAINT fk_delivery_webhook_id FOREIGN KEY(webhook_id) REFERENCES webhook (id) ON DELETE CASCADE,
	CONSTRAINT fk_delivery_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE
);
CREATE INDEX ix_delivery_account_id ON delivery (account_id);
CREATE INDEX ix_delivery_ended ON delivery (ended_at);
CREATE INDEX ix_delivery_event_id ON delivery (event_id);
CREATE INDEX ix_delivery_person_id ON delivery (person_id);
CREATE INDEX ix_delivery_queued ON delivery (run_at, id) WHERE state = 'ready';
CREATE INDEX ix_delivery_running ON delivery (id) WHERE state = 'running';
CREATE INDEX ix_delivery_webhook ON delivery (webhook_id, id);
CREATE TABLE feed (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	person_id INTEGER NOT NULL,
	project_id INTEGER,
	saved_view_id INTEGER,
	name TEXT NOT NULL,
	token_hash BLOB NOT NULL,
	created_at BIGINT NOT NULL,
	last_used_at BIGINT,
	CONSTRAINT fk_feed_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_feed_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE CASCADE,
	CONSTRAINT fk_feed_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE,
	CONSTRAINT fk_feed_saved_view_id FOREIGN KEY(saved_view_id) REFERENCES saved_view (id) ON DELETE CASCADE,
	CONSTRAINT uq_feed_token_hash UNIQUE (token_hash)
);
CREATE INDEX ix_feed_account_id ON feed (account_id);
CREATE INDEX ix_feed_person_id ON feed (person_id);
CREATE INDEX ix_feed_project_id ON feed (project_id);
CREATE INDEX ix_feed_saved_view_id ON feed (saved_view_id);
CREATE TABLE acceptance (
	id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	report_id INTEGER,
	of_crawls SMALLINT DEFAULT '0' NOT NULL,
	check_name TEXT NOT NULL,
	pattern TEXT NOT NULL,
	finding_key TEXT NOT NULL,
	reason TEXT NOT NULL,
	until TEXT NOT NULL,
	accepted_by TEXT NOT NULL,
	person_id INTEGER,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_acceptance PRIMARY KEY (id),
	CONSTRAINT fk_acceptance_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE,
	CONSTRAINT fk_acceptance_report_id FOREIGN KEY(report_id) REFERENCES report (id) ON DELETE CASCADE,
	CONSTRAINT fk_acceptance_person_id FOREIGN KEY(person_id) REFERENCES person (id) ON DELETE SET NULL
);
CREATE INDEX ix_acceptance_project_id ON acceptance (project_id);
CREATE INDEX ix_acceptance_report_id ON acceptance (report_id);
CREATE TABLE run (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	report_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	account_id INTEGER NOT NULL,
	url TEXT NOT NULL,
	subject TEXT DEFAULT '' NOT NULL,
	profile TEXT NOT NULL,
	started_at BIGINT NOT NULL,
	finished_at BIGINT NOT NULL,
	result TEXT,
	score SMALLINT,
	coverage SMALLINT,
	engine TEXT,
	analysis BLOB,
	saved_hash BLOB,
	error TEXT,
	rescored_from INTEGER,
	failed SMALLINT,
	warned SMALLINT,
	icon BLOB,
	card BLOB,
	phone BLOB,
	desktop BLOB,
	filmstrip BLOB,
	CONSTRAINT uq_run_report_id_number UNIQUE (report_id, number),
	CONSTRAINT fk_run_report_id FOREIGN KEY(report_id) REFERENCES report (id) ON DELETE CASCADE
);
CREATE INDEX ix_run_card ON run (card) WHERE card IS NOT NULL;
CREATE INDEX ix_run_desktop ON run (desktop) WHERE desktop IS NOT NULL;
CREATE INDEX ix_run_filmstrip ON run (filmstrip) WHERE filmstrip IS NOT NULL;
CREATE INDEX ix_run_finished ON run (finished_at);
CREATE INDEX ix_run_history ON run (account_id, subject, id);
CREATE INDEX ix_run_icon ON run (icon) WHERE icon IS NOT NULL;
CREATE INDEX ix_run_phone ON run (phone) WHERE phone IS NOT NULL;
CREATE INDEX ix_run_saved ON run (saved_hash) WHERE saved_hash IS NOT NULL;
CREATE INDEX ix_run_saved_age ON run (finished_at) WHERE saved_hash IS NOT NULL;
CREATE TABLE finding (
	report_id INTEGER NOT NULL,
	check_id INTEGER NOT NULL,
	account_id INTEGER NOT NULL,
	verdict SMALLINT NOT NULL,
	result SMALLINT,
	is_accepted SMALLINT DEFAULT '0' NOT NULL,
	CONSTRAINT pk_finding PRIMARY KEY (report_id, check_id),
	CONSTRAINT fk_finding_report_id FOREIGN KEY(report_id) REFERENCES report (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX ix_finding_result ON finding (account_id, check_id, verdict, result, report_id) WHERE result IS NOT NULL;
CREATE INDEX ix_finding_verdict ON finding (account_id, check_id, verdict, report_id);
CREATE TABLE batch_member (
	batch_id INTEGER NOT NULL,
	place INTEGER NOT NULL,
	url TEXT NOT NULL,
	report_id INTEGER,
	refused TEXT,
	scheme_guessed SMALLINT DEFAULT '0' NOT NULL,
	CONSTRAINT pk_batch_member PRIMARY KEY (batch_id, place),
	CONSTRAINT fk_batch_member_batch_id FOREIGN KEY(batch_id) REFERENCES batch (id) ON DELETE CASCADE,
	CONSTRAINT fk_batch_member_report_id FOREIGN KEY(report_id) REFERENCES report (id) ON DELETE SET NULL
)
 WITHOUT ROWID;
CREATE INDEX ix_batch_member_report_id ON batch_member (report_id);
CREATE TABLE page_watch (
	report_id INTEGER NOT NULL,
	account_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	facts TEXT,
	seen_at BIGINT NOT NULL,
	is_reached SMALLINT NOT NULL,
	again_at BIGINT,
	fingerprint BLOB,
	full_at BIGINT,
	CONSTRAINT pk_page_watch PRIMARY KEY (report_id),
	CONSTRAINT fk_page_watch_report_id FOREIGN KEY(report_id) REFERENCES report (id) ON DELETE CASCADE
);
CREATE INDEX ix_page_watch_again ON page_watch (again_at, report_id) WHERE again_at IS NOT NULL;
CREATE INDEX ix_page_watch_project ON page_watch (account_id, project_id, seen_at);
CREATE TABLE unchanged_run (
	report_id INTEGER NOT NULL,
	at BIGINT NOT NULL,
	CONSTRAINT pk_unchanged_run PRIMARY KEY (report_id, at),
	CONSTRAINT fk_unchanged_run_report_id FOREIGN KEY(report_id) REFERENCES report (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE TABLE alert_subject (
	alert_id INTEGER NOT NULL,
	subject_id INTEGER NOT NULL,
	phase TEXT NOT NULL,
	runs SMALLINT NOT NULL,
	CONSTRAINT pk_alert_subject PRIMARY KEY (alert_id, subject_id),
	CONSTRAINT fk_alert_subject_alert_id FOREIGN KEY(alert_id) REFERENCES alert (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX ix_alert_subject_subject ON alert_subject (subject_id, alert_id);
CREATE TABLE setback (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	report_id INTEGER,
	crawl_id INTEGER,
	url TEXT NOT NULL,
	subject TEXT NOT NULL,
	is_site SMALLINT NOT NULL,
	at BIGINT NOT NULL,
	better_at BIGINT DEFAULT '0' NOT NULL,
	findings TEXT NOT NULL,
	CONSTRAINT uq_setback_project_id_is_site_subject UNIQUE (project_id, is_site, subject),
	CONSTRAINT fk_setback_account_id FOREIGN KEY(account_id) REFERENCES account (id) ON DELETE CASCADE,
	CONSTRAINT fk_setback_project_id FOREIGN KEY(project_id) REFERENCES project (id) ON DELETE CASCADE,
	CONSTRAINT fk_setback_report_id FOREIGN KEY(report_id) REFERENCES report (id) ON DELETE CASCADE,
	CONSTRAINT fk_setback_crawl_id FOREIGN KEY(crawl_id) REFERENCES crawl (id) ON DELETE CASCADE
);
CREATE INDEX ix_setback_account ON setback (account_id, at, id);
CREATE INDEX ix_setback_better ON setback (account_id, better_at, id);
CREATE INDEX ix_setback_crawl_id ON setback (crawl_id);
CREATE INDEX ix_setback_project ON setback (project_id, at, id);
CREATE INDEX ix_setback_project_better ON setback (project_id, better_at, id);
CREATE INDEX ix_setback_report_id ON setback (report_id)
